"""The formulas of the lectures, worked out without nbmail, beside the columns of `nbmail score
--why --json`.

    python -m tests.lectures TRAIN TEST NBMAIL…

TRAIN and TEST are lists with lines `LABEL PATH` (labels spam and ham), NBMAIL the command. The
words and measures of each message are read from the reasons that a scratch home prints once it has
learned all messages; everything else is counted here. Prints the largest difference in any column
of each method.
"""

import json
import math
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from functools import cache, partial
from pathlib import Path

METHODS = (
    *(
        "multinomial",
        "bernoulli",
        "bernoulli-complete",
        "categorical",
        "gaussian",
        "tree",
        "logistic",
    ),
    *("complement", "balanced"),
)
ALL = "1000000"


FAMILIES = ("says", "who", "how")
_SAYS = ("phrase", "start", "text", "subject", "body")
_WHO = ("from", "to", "reply", "return", "sender", "list-id", "link", "signed")
_SENDER_FACTS = (
    *("from", "reply-to", "return-path", "sender", "message-id", "known", "thread", "reply"),
    *("spf", "dkim", "dmarc"),
)


def family_of(word):
    """Return the family of a word by its place, the text before the colon."""
    place, colon, rest = word.partition(":")
    if not colon or place in _SAYS:
        return "says"
    if place in _WHO or (place == "fact" and rest.partition("=")[0] in _SENDER_FACTS):
        return "who"
    return "how"


def shown_among(words):
    """Return how many words are shown, at least one."""
    return max(1, sum(not word.startswith("hidden:") for word in words))


class Mail:
    """A message: its class, how often it contains each word, and its measures."""

    def __init__(self, label, words, measures):
        self.label = label
        self.words = words
        self.measures = measures


class Nbmail:
    """The command, run on one home."""

    def __init__(self, command, home):
        self._command = command
        self._home = home

    def learn(self, index):
        self._run("learn", "--index", index)

    def score(self, paths, *options):
        return [
            json.loads(line)
            for line in self._run("score", "--json", "--why", ALL, *options, *paths).splitlines()
        ]

    def _run(self, name, *arguments):
        command = [*self._command, name, "--home", self._home, *map(str, arguments)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Counts:
    """Counts of the training messages of one class."""

    def __init__(self, mails, label):
        own = [mail for mail in mails if mail.label == label]
        self.messages = len(own)
        self.documents = Counter(word for mail in own for word in mail.words)
        self.occurrences = Counter()
        for mail in own:
            self.occurrences.update(mail.words)
        self.total = self.occurrences.total()
        self.present = [set(mail.words) for mail in own]
        self.measures = defaultdict(list)
        for mail in own:
            for name, value in mail.measures.items():
                self.measures[name].append(value)


def variance(values):
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / len(values)


class Expected:
    """The columns of one message: prior, log-ratio, correction and amount of each word, and of each
    absent word.
    """

    def __init__(self, prior=0.0):
        self.prior = prior
        self.ratios = {}
        self.corrections = {}
        self.adds = {}
        self.absent = {}
        # Compatibility scores log p(x, spam) and log p(x, ham), for the methods that work them out
        # here.
        self.both = ()

    def add(self, word, ratio, adds, correction=0.0):
        self.ratios[word] = ratio
        self.adds[word] = adds
        self.corrections[word] = correction


class Lectures:
    """All methods, from the training messages in the order in which they were learned.

    `alpha`: pseudo-count of a word. `beta`: pseudo-counts of presence and absence. `virtual`:
    examples of each fact.
    """

    def __init__(self, train, parents, *, alpha=1.0, beta=(1.0, 1.0), virtual=None):
        self.train = train
        self.parents = parents
        self.alpha = alpha
        self.beta = beta
        self.virtual = virtual
        self.spam = Counts(train, "spam")
        self.ham = Counts(train, "ham")
        self.vocabulary = {word for mail in train for word in mail.words}
        self.prior = math.log(self.spam.messages / self.ham.messages)
        both = (self.spam.measures[name] + self.ham.measures[name] for name in self.spam.measures)
        self.more = 1e-9 * max(map(variance, both))
        self._logistic = None
        self._corrections = None
        self._weights = None

    def known(self, mail):
        return {word: times for word, times in mail.words.items() if word in self.vocabulary}

    def multinomial(self, mail):
        """USC CSCI 567 and UTA CSE 6363: smoothed share of the class's words, times occurrences."""

        def share(counts, word):
            return (counts.occurrences[word] + self.alpha) / (
                counts.total + self.alpha * len(self.vocabulary)
            )

        found = Expected(self.prior)
        for word, times in self.known(mail).items():
            ratio = math.log(share(self.spam, word) / share(self.ham, word))
            found.add(word, ratio, times * ratio)
        known = self.known(mail).items()
        found.both = [
            math.log(each.messages / len(self.train))
            + math.fsum(times * math.log(share(each, word)) for word, times in known)
            for each in (self.spam, self.ham)
        ]
        return found

    def complement(self, mail):
        """Rarity of the word in the other class: of two classes that gives the same log-ratio,
        without a prior.
        """
        found = self.multinomial(mail)
        found.prior = 0.0
        found.both = ()
        return found

    def presence(self, counts, word):
        """UW CSE 446, Algorithm 1; Brown CS195-5 for other pseudo-counts."""
        return (self.beta[0] + counts.documents[word]) / (sum(self.beta) + counts.messages)

    def bernoulli(self, mail):
        found = Expected(self.prior)
        for word in self.known(mail):
            ratio = math.log(self.presence(self.spam, word) / self.presence(self.ham, word))
            found.add(word, ratio, ratio)
        return found

    def bernoulli_complete(self, mail):
        """Brown CS195-5: absent words count too."""
        found = self.bernoulli(mail)
        for word in self.vocabulary - mail.words.keys():
            found.absent[word] = math.log(
                (1 - self.presence(self.spam, word)) / (1 - self.presence(self.ham, word))
            )
        return found

    def categorical(self, mail):
        """UTA CSE 6363: (n + m Q) / (N + m), each of k values being equally likely, Q = 1 / k; by
        default m = k.
        """
        values = defaultdict(set)
        for word in self.vocabulary:
            if word.startswith("fact:"):
                values[word.partition("=")[0]].add(word)
        found = Expected(self.prior)
        for word in self.known(mail):
            if word.startswith("fact:"):
                fact = values[word.partition("=")[0]]
                virtual = len(fact) if self.virtual is None else self.virtual
                chances = [
                    (counts.documents[word] + virtual / len(fact))
                    / (sum(counts.documents[each] for each in fact) + virtual)
                    for counts in (self.spam, self.ham)
                ]
                ratio = math.log(chances[0] / chances[1])
                found.add(word, ratio, ratio)
        return found

    def gaussian(self, mail):
        """UTA CSE 6363, homework of USC CSCI 567: mean and variance, which grows by 1e-9 of the
        largest one.
        """
        found = Expected(self.prior)
        for name, value in mail.measures.items():
            densities = []
            for counts in (self.spam, self.ham):
                values = counts.measures[name]
                mean = math.fsum(values) / len(values)
                spread = variance(values) + self.more
                densities.append(
                    -0.5 * (math.log(2 * math.pi * spread) + (value - mean) ** 2 / spread)
                )
            found.add(name, densities[0] - densities[1], densities[0] - densities[1])
        return found

    @cache  # noqa: B019
    def chance_given(self, counts, word, given):
        parent = self.parents[word]
        messages = [
            words for words in counts.present if parent is None or (parent in words) == given
        ]
        return (sum(word in words for words in messages) + 1) / (len(messages) + 2)

    def tree(self, mail):
        """UBC CPSC 340, "less naive": each word depends on one other; Laplace smoothing."""

        def ratio(word, *, given, absent=False):
            chances = [self.chance_given(counts, word, given) for counts in (self.spam, self.ham)]
            return math.log(
                (1 - chances[0]) / (1 - chances[1]) if absent else chances[0] / chances[1]
            )

        found = Expected(self.prior)
        for word, parent in self.parents.items():
            beside = parent in mail.words
            if word in mail.words:
                alone = ratio(word, given=False)
                found.add(word, alone, alone)
                if beside:
                    more = ratio(word, given=True) - alone
                    found.add(f"pair:{parent} {word}", more, more)
            else:
                found.absent[word] = ratio(word, given=beside, absent=True)
        return found

    def logistic(self, mail):
        """USC CSCI 567: stochastic gradient ascent of the softmax's likelihood, steps of 8 /
        sqrt(n).
        """
        if self._logistic is None:
            self._logistic = {"spam": Counter(), "ham": Counter()}
            met = set()
            for one in self.train:
                met.add(one.label)
                scale = 1 / math.sqrt(max(1, len(one.words)))
                scores = {
                    label: scale * sum(map(self._logistic[label].__getitem__, one.words))
                    for label in met
                }
                total = sum(math.exp(score) for score in scores.values())
                for label in met:
                    error = (label == one.label) - math.exp(scores[label]) / total
                    for word in one.words:
                        self._logistic[label][word] += 8 * error * scale
        found = Expected()
        for word in mail.words:
            weight = self._logistic["spam"][word] - self._logistic["ham"][word]
            adds = weight / math.sqrt(len(mail.words))
            found.add(word, 0.0, adds, adds)
        return found

    def balanced(self, mail):
        """The docstrings of the default: self-weighted log-ratios plus corrections by AdaGrad.

        Each family of words has such a score by itself, too. The score is the weighted mean.
        """
        if self._weights is None:
            self._weights = self._family_weights()
        terms = self._terms(mail, mail.words)
        adds = {word: term[1] for word, term in terms.items()}
        corrections = {word: term[2] for word, term in terms.items()}
        for family, weight in self._weights.items():
            own = [word for word in mail.words if family_of(word) == family]
            for word, (_, added, correction) in self._terms(mail, own).items():
                adds[word] += weight * added
                corrections[word] += weight * correction
        total = 1 + sum(self._weights.values())
        found = Expected()
        for word, (ratio, _, _) in terms.items():
            found.add(word, ratio, adds[word] / total, corrections[word] / total)
        return found

    def _terms(self, mail, words):
        """Return log-ratio, amount and correction of each known word, if only `words` count."""
        if self._corrections is None:
            self._corrections = self._learned_corrections()
        ratios = {}
        for word in words:
            if word in self.vocabulary:
                shares = [
                    (each.documents[word] + 0.01) / (each.messages + 0.02)
                    for each in (self.spam, self.ham)
                ]
                ratios[word] = min(8.0, max(-8.0, math.log(shares[0] / shares[1])))
        squares = math.fsum(round(16 * ratio**2) / 16 for ratio in ratios.values())
        terms = {}
        for word, ratio in ratios.items():
            correction = self._corrections[word] / math.sqrt(shown_among(words))
            added = round(64 * ratio**3) / 64 / (squares + 16) + correction
            terms[word] = ratio, added, correction
        return terms

    def _family_weights(self):
        """Return 0.4 (2 AUC - 1) ** 4 of each family's held-out scores, 0 if that is worse than
        chance.
        """
        scored = [(mail.label, *scores) for mail, scores in self._held_out() if scores]
        weights = {}
        for family in FAMILIES:
            spam = [round(64 * scores[family]) for label, scores in scored if label == "spam"]
            ham = [round(64 * scores[family]) for label, scores in scored if label == "ham"]
            won = sum((one > other) - (one < other) for one in spam for other in ham)
            pairs = len(spam) * len(ham)
            weights[family] = 0.4 * max(0.0, won / pairs) ** 4 if pairs else 0.0
        return weights

    def _held_out(self):
        """Yield the latest 2,000 messages with the scores of their families by models without them.

        The first ones are scored in ten folds, later ones by what was learned before.
        """
        labels = len(self.train)
        folded = min(labels, 1024)
        if folded >= 128:
            cut = folded.bit_length() - 5
            folded = folded >> cut << cut
        cut = max(0, labels.bit_length() - 7)
        met = Counter()
        fold_of = []
        for mail in self.train[:folded]:
            fold_of.append(met[mail.label] % 10)
            met[mail.label] += 1
        folds = [
            [mail for mail, own in zip(self.train, fold_of, strict=False) if own != fold]
            for fold in range(10)
        ]
        models = list(map(self._model_of, folds))
        for place, mail in list(enumerate(self.train[: labels >> cut << cut]))[-2000:]:
            is_folded = place < folded
            model = models[fold_of[place]] if is_folded else self._model_of(self.train[:place])
            yield mail, (model and [model._family_scores(mail)])

    def _model_of(self, train):
        """Return a model of these messages, None if a class is missing."""
        if {mail.label for mail in train} != {"spam", "ham"}:
            return None
        return Lectures(train, {})

    def _family_scores(self, mail):
        found = {}
        for family in FAMILIES:
            own = [word for word in mail.words if family_of(word) == family]
            found[family] = math.fsum(added for _, added, _ in self._terms(mail, own).values())
        return found

    def _learned_corrections(self):
        """Return the correction of each word: steps of 14 / sqrt(n), divided by the root of the
        word's energy.
        """
        unit = 1 << 17
        error_unit = 1 << 16
        step = 14.0
        first = 0.01
        moved = {"spam": Counter(), "ham": Counter()}
        energy = {"spam": Counter(), "ham": Counter()}
        for mail in self.train:
            other = "ham" if mail.label == "spam" else "spam"
            scale = 1 / math.sqrt(shown_among(mail.words))
            own, opposed = (
                sum(moved[label][word] for word in mail.words) / unit * scale
                for label in (mail.label, other)
            )
            margin = own - opposed
            if margin >= 5.0:
                continue
            error = round(error_unit / (1 + (1 + max(margin, -30.0) / 4096) ** 4096))
            if not error:
                continue
            for word in mail.words:
                spent = energy[mail.label][word] + energy[other][word] + error * error // error_unit
                reach = step * unit * (error / error_unit) * scale
                moved[mail.label][word] += round(reach / math.sqrt(first + spent / error_unit))
                energy[mail.label][word] += error * error // error_unit
        return Counter(
            {word: (moved["spam"][word] - moved["ham"][word]) / unit for word in self.vocabulary}
        )


def difference(line, expected, counts):
    """Return the largest difference between the columns of a message and the expected ones."""
    terms = {term["word"]: term for term in line["why"]}
    found = [abs(line["prior"] - expected.prior)]
    for word, adds in expected.adds.items():
        term = terms.get(word)
        if term is None:
            found.append(abs(adds))
            continue
        found += [abs(term["adds"] - adds), abs(term["log_ratio"] - expected.ratios[word])]
        found.append(abs(term["correction"] - expected.corrections[word]))
        found += counts(term, word)
    found += [
        abs(terms[word]["adds"]) for word in terms.keys() - {"absent:words"} - expected.adds.keys()
    ]
    absent = [term["adds"] for term in line["why"] if term["word"] == "absent:words"]
    found.append(abs(sum(absent) - math.fsum(expected.absent.values())))
    for term in line.get("absent", {}).get("words", ()):
        found.append(abs(term["adds"] - expected.absent[term["word"]]))
        found += counts(term, term["word"])
    # The sum, and the posterior that the method itself gives.
    total = expected.prior + math.fsum(expected.adds.values()) + math.fsum(expected.absent.values())
    found.append(abs(line["score"] - total))
    if both := line["class_scores"]:
        found.append(abs(both["spam"] - both["ham"] - total))
        found += [
            abs(both[name] - score)
            for name, score in zip(("spam", "ham"), expected.both, strict=False)
        ]
    elif expected.both:
        found.append(math.inf)
    found.append(abs(line["posterior"] - 1 / (1 + math.exp(-max(-700.0, total)))))
    return max(found)


def tables(lectures, mail):
    """Return a function that compares the counts of a term with those of the training messages."""

    def compare(term, word):
        documents = [lectures.spam.documents[word], lectures.ham.documents[word]]
        occurrences = mail.words.get(word, 0)
        if "pair" in term:
            both = set(term["pair"])
            documents = [
                sum(both <= words for words in each.present)
                for each in (lectures.spam, lectures.ham)
            ]
            occurrences = 1
        if "value" in term:
            values = [each.measures[word] for each in (lectures.spam, lectures.ham)]
            documents = list(map(len, values))
            occurrences = 0
            means = [math.fsum(each) / len(each) for each in values]
            spreads = [math.sqrt(variance(each) + lectures.more) for each in values]
            shown = [
                term[f"{name}_{part}"] for part in ("mean", "deviation") for name in ("spam", "ham")
            ]
            yield from (
                abs(one - other) for one, other in zip(shown, [*means, *spreads], strict=True)
            )
        yield abs(term["spam"] - documents[0])
        yield abs(term["ham"] - documents[1])
        yield abs(term["occurrences"] - occurrences)

    return compare


def read(nbmail, entries):
    """Return the messages with their words and measures, from the reasons of a home that learned
    them all.
    """
    paths = [path for _, path in entries]
    words = nbmail.score(paths, "--method", "multinomial")
    measures = nbmail.score(paths, "--method", "gaussian")
    return [
        Mail(
            label,
            {term["word"]: term["occurrences"] for term in line["why"]},
            {term["word"]: term["value"] for term in bell["why"]},
        )
        for (label, _), line, bell in zip(entries, words, measures, strict=True)
    ]


def parents_in(lines):
    """Return the parent of each word of the tree, None for its root."""
    found = {}
    for line in lines:
        for term in (*line["why"], *line.get("absent", {}).get("words", ())):
            if "pair" in term:
                # A word that adds nothing alone has no line of its own.
                parent, word = term["pair"]
                found[word] = parent
            elif term["word"] != "absent:words":
                found[term["word"]] = term.get("parent")
    return found


class Trial:
    """Two homes: one that knows all words, and one that learned the training messages."""

    def __init__(self, train, test, nbmail, folder):
        """`nbmail`: returns the command for a home."""
        folder = Path(folder)
        for name, entries in (("all", [*train, *test]), ("train", train)):
            (folder / name).write_text("".join(f"{label} {path}\n" for label, path in entries))
        self.home = folder / "home"
        self.test = test
        whole = nbmail(folder / "whole")
        self.nbmail = nbmail(self.home)
        whole.learn(folder / "all")
        self.nbmail.learn(folder / "train")
        self.learned = read(whole, train)
        self.tested = read(whole, test)
        self.parents = parents_in(self.score("tree"))

    @cache  # noqa: B019
    def score(self, method, *options):
        return self.nbmail.score([path for _, path in self.test], "--method", method, *options)

    def largest_difference(self, method, options=(), **parameters):
        """Return the largest difference in any column of any message."""
        lectures = Lectures(self.learned, self.parents, **parameters)
        expected = getattr(lectures, method.replace("-", "_"))
        pairs = zip(self.score(method, *options), self.tested, strict=True)
        return max(difference(line, expected(mail), tables(lectures, mail)) for line, mail in pairs)


def lacking_information(trial):
    """Return by how much the tree's conditional information is below that of the best tree (Chow
    and Liu).

    The tree is that of the first messages, a power of two times 32.
    """
    first = 32
    while 2 * first <= len(trial.learned):
        first *= 2
    mails = trial.learned[:first]
    words = sorted(trial.parents)
    masks = {
        label: {
            word: sum(1 << place for place, mail in enumerate(own) if word in mail.words)
            for word in words
        }
        for label in ("spam", "ham")
        for own in [[mail for mail in mails if mail.label == label]]
    }
    sizes = {label: sum(mail.label == label for mail in mails) for label in masks}
    terms = [0.0, *(number * math.log(number) for number in range(1, first + 1))]

    def information(one, other):
        found = 0.0
        for label, size in sizes.items():
            x, y = masks[label][one], masks[label][other]
            both = (x & y).bit_count()
            a = x.bit_count()
            b = y.bit_count()
            cells = terms[both] + terms[a - both] + terms[b - both] + terms[size - a - b + both]
            found += cells + terms[size] - terms[a] - terms[size - a] - terms[b] - terms[size - b]
        return found

    used = math.fsum(
        information(word, parent) for word, parent in trial.parents.items() if parent is not None
    )
    best = 0.0
    nearest = {word: 0.0 for word in words[1:]}
    newest = words[0]
    while nearest:
        nearest = {word: max(known, information(newest, word)) for word, known in nearest.items()}
        newest = max(nearest, key=nearest.__getitem__)
        best += nearest.pop(newest)
    return best - used


def entries_of(index):
    return [tuple(line.split(" ", 1)) for line in Path(index).read_text().splitlines()]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        trial = Trial(
            entries_of(sys.argv[1]), entries_of(sys.argv[2]), partial(Nbmail, sys.argv[3:]), scratch
        )
        for method in METHODS:
            sys.stdout.write(f"{method:20}{trial.largest_difference(method):.1e}\n")
        sys.stdout.write(f"{'tree not the best by':20}{lacking_information(trial):.1e}\n")
