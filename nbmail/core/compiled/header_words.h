/* Words of headers for `wordtable.c`, from values of ASCII characters, added without creating Python strings.
 *
 * `nbmail/core/words/header_words.py` is the same in Python; tests compare the results. Values are cut at `VALUE_CAP`,
 * so that each fits into a buffer on the stack.
 */
#ifndef NBMAIL_HEADER_WORDS_H
#define NBMAIL_HEADER_WORDS_H

#include "numbering.h"

#define VALUE_CAP 1000
#define HOSTS_CAP 10
#define SHORT_CAP 40 /* Longest word of a route. */

typedef struct {
    const char *at, *end;
} Span;

static Span span(const char *text) { return (Span){text, text + strlen(text)}; }
static size_t size_of(Span text) { return (size_t)(text.end - text.at); }
static int is_digit(char each) { return each >= '0' && each <= '9'; }
static int is_capital(char each) { return each >= 'A' && each <= 'Z'; }
static int is_word(char each) { return is_digit(each) || is_capital(each) || (each >= 'a' && each <= 'z') || each == '_'; }
static int is_space(char each) { return each == ' ' || (each >= 9 && each <= 13) || (each >= 0x1c && each <= 0x1f); }
static int is_same(Span one, Span other) { return size_of(one) == size_of(other) && !memcmp(one.at, other.at, size_of(one)); }
static char lowered(char each) { return is_capital(each) ? (char)(each + 32) : each; }

/* Return the first place of `wanted`, or the end. */
static const char *find_text(Span text, const char *wanted)
{
    const size_t length = strlen(wanted);
    for (const char *at = text.at; size_of(text) >= length && at <= text.end - length; at++)
        if (!memcmp(at, wanted, length))
            return at;
    return text.end;
}

static const char *find_last(Span text, char wanted)
{
    for (const char *at = text.end; at > text.at; at--)
        if (at[-1] == wanted)
            return at - 1;
    return NULL;
}

/* Return the text without these characters at its ends: at the left, at the right, or at both. */
static Span stripped(Span text, const char *unwanted, int left, int right)
{
    while (left && text.at < text.end && *text.at && strchr(unwanted, *text.at))
        text.at++;
    while (right && text.at < text.end && text.end[-1] && strchr(unwanted, text.end[-1]))
        text.end--;
    return text;
}

/* Take the next run of characters that `belongs` accepts from the text. 0 if there is none. */
static int next_run(Span *text, Span *run, int (*belongs)(char))
{
    while (text->at < text->end && !belongs(*text->at))
        text->at++;
    run->at = text->at;
    while (text->at < text->end && belongs(*text->at))
        text->at++;
    run->end = text->at;
    return run->at < run->end;
}

/* Add a word of several parts, unless it is too long. */
static int meet_parts(WordTable *table, const Span *parts, int count)
{
    char word[LONGEST_POSSIBLE];
    size_t length = 0;
    for (int part = 0; part < count; part++) {
        if (size_of(parts[part]) > table->longest - length)
            return 0;
        memcpy(word + length, parts[part].at, size_of(parts[part]));
        length += size_of(parts[part]);
    }
    return meet(table, word, length);
}
#define MEET(table, ...) \
    meet_parts(table, (const Span[]){__VA_ARGS__}, (int)(sizeof((const Span[]){__VA_ARGS__}) / sizeof(Span)))

/* `text.web_addresses.domain_of` */
static Span domain_of(Span host)
{
    static const char *const shared[] = {"ac", "co", "com", "edu", "gob", "gov", "go", "mil", "ne", "net", "nom", "or", "org"};
    host = stripped(host, ".", 0, 1);
    const char *last = find_last(host, '.');
    const char *second = last ? find_last((Span){host.at, last}, '.') : NULL;
    if (!second)
        return host;
    int is_shared = 0;
    for (size_t place = 0; host.end - last == 3 && place < sizeof shared / sizeof *shared; place++)
        is_shared |= is_same(span(shared[place]), (Span){second + 1, last});
    const char *third = is_shared ? find_last((Span){host.at, second}, '.') : second;
    return (Span){third ? third + 1 : host.at, host.end};
}

static int is_host_character(char each) { return !is_space(each) && !(each && strchr("[](){}<>=\",;:@/", each)); }

/* Return the different domains of the first hosts that have a name. */
static int domains_in(Span sent, Span domains[HOSTS_CAP])
{
    int hosts = 0, count = 0;
    Span word;
    while (hosts < HOSTS_CAP && next_run(&sent, &word, is_host_character)) {
        size_t dots = 0, digits = 0;
        for (const char *at = word.at; at < word.end; at++) {
            dots += *at == '.';
            digits += (size_t)is_digit(*at);
        }
        if (!dots || (digits && dots + digits == size_of(word)))
            continue;
        hosts++;
        domains[count] = domain_of(word);
        int known = 0;
        while (!is_same(domains[known], domains[count]))
            known++;
        count += known == count;
    }
    return count;
}

/* Find the next address of four numbers. Get its first number, and its first three ones. 0 if there is none. */
static int next_network(const char *begin, Span *sent, Span *large, Span *small)
{
    for (; sent->at < sent->end; sent->at++) {
        if (!is_digit(*sent->at) || (sent->at > begin && is_word(sent->at[-1])))
            continue;
        const char *at = sent->at;
        for (int part = 0; part < 4; part++) {
            const char *first = at;
            while (at < sent->end && is_digit(*at) && at - first < 4)
                at++;
            if (at == first || at - first > 3 || (part < 3 ? at == sent->end || *at != '.' : at < sent->end && is_word(*at)))
                break;
            if (part == 0)
                *large = (Span){first, at};
            if (part == 2)
                *small = (Span){large->at, at};
            if (part == 3) {
                sent->at = at;
                return 1;
            }
            at++;
        }
    }
    return 0;
}

static int is_route(char each) { return is_word(each) || each == '.' || each == '@' || each == '-'; }

/* Return the name of the receiving server and all text of it; `sent` becomes the text about the sender. */
static Span receiver_of(Span *sent)
{
    sent->end = find_text(*sent, ";");
    Span taken = {find_text(*sent, "by "), sent->end};
    sent->end = taken.at;
    taken.at += taken.at < taken.end ? 3 : 0;
    while (taken.at < taken.end && is_space(*taken.at))
        taken.at++;
    return taken;
}

static int add_received(WordTable *table, Span sent)
{
    const Span place = span("received:"), whole = receiver_of(&sent), taken = {whole.at, find_text(whole, " id ")};
    Span rest = sent, large, small, word, domains[HOSTS_CAP];
    for (int count = 0; count < HOSTS_CAP && next_network(sent.at, &rest, &large, &small); count++)
        if (MEET(table, place, small) < 0 || MEET(table, place, large, span(".*")) < 0)
            return -1;
    const Span taking = domain_of((Span){whole.at, find_text(whole, " ")});
    int count = domains_in(sent, domains);
    if (!count)
        domains[count++] = span("nobody");
    for (int each = 0; each < count; each++)
        if (MEET(table, place, domains[each], span(">"), taking) < 0)
            return -1;
    /* The serial number is left out. */
    char joined[VALUE_CAP];
    size_t length = size_of(taken);
    memcpy(joined, taken.at, length);
    if (whole.end - taken.end > 4) {
        const char *after = find_text((Span){taken.end + 4, whole.end}, " ");
        after -= after == whole.end;
        memcpy(joined + length, after, (size_t)(whole.end - after));
        length += (size_t)(whole.end - after);
    }
    for (rest = (Span){joined, joined + length}; next_run(&rest, &word, is_route);)
        for (; size_of(word) > 1; word.at += size_of(word) > SHORT_CAP ? SHORT_CAP : size_of(word)) {
            const char *end = size_of(word) > SHORT_CAP ? word.at + SHORT_CAP : word.end;
            if (MEET(table, place, ((Span){word.at, end})) < 0)
                return -1;
        }
    return 0;
}

static int add_origin(WordTable *table, Span sent)
{
    const Span place = span("origin:"), whole = receiver_of(&sent);
    Span rest = sent, large, small, domains[HOSTS_CAP];
    if (MEET(table, place, span("by "), domain_of((Span){whole.at, find_text(whole, " ")})) < 0)
        return -1;
    const int count = domains_in(sent, domains);
    for (int each = 0; each < count; each++) {
        const char *dot = find_last(domains[each], '.');
        const Span country = {dot ? dot + 1 : domains[each].at, domains[each].end};
        if (MEET(table, place, span("@"), domains[each]) < 0 || MEET(table, place, span("."), country) < 0)
            return -1;
    }
    for (int each = 0; each < HOSTS_CAP && next_network(sent.at, &rest, &large, &small); each++) {
        const char *middle = find_last(small, '.');
        if (MEET(table, place, ((Span){small.at, middle}), span(".*")) < 0)
            return -1;
    }
    return 0;
}

/* Add the words of a text with their place. Return their number, and the words in `found` if it isn't NULL. */
static int add_placed(WordTable *table, Span place, char *text, size_t length, Span *found)
{
    int count = 0;
    for (char *at = text; at < text + length; at++)
        *at = (char)table->byte_map[(unsigned char)*at];
    for (char *at = text, *begin; at < text + length;) {
        if (*at == ' ') {
            at++;
            continue;
        }
        for (begin = at; at < text + length && *at != ' ';)
            at++;
        const Span word = {begin, at};
        if (MEET(table, place, span(":"), word) < 0)
            return -1;
        if (found)
            found[count] = word;
        count++;
    }
    return count;
}

static int add_subject(WordTable *table, Span value, char *text)
{
    const Span place = span("subject");
    Span words[VALUE_CAP / 2 + 2] = {span("^")}, run;
    const int count = add_placed(table, place, text, size_of(value), words + 1);
    if (count < 0)
        return -1;
    words[count + 1] = span("$");
    for (Span rest = value; next_run(&rest, &run, is_word);) {
        int capitals = size_of(run) >= 3 && size_of(run) <= 24;
        for (const char *at = run.at; capitals && at < run.end; at++)
            capitals = is_capital(*at);
        if (capitals && MEET(table, place, span(":"), run) < 0)
            return -1;
    }
    for (int each = 0; each <= count; each++)
        if (MEET(table, place, span(":"), words[each], span(" "), words[each + 1]) < 0)
            return -1;
    return 0;
}

static int is_address_character(char each) { return !is_space(each) && !(each && strchr("<>()[],\";:'", each)); }

static int add_addresses(WordTable *table, Span place, Span value)
{
    char names[VALUE_CAP + 1];
    size_t length = 0;
    Span word;
    while (next_run(&value, &word, is_address_character)) {
        const char *last = find_last(word, '@');
        if (!last) {
            memcpy(names + length, word.at, size_of(word));
            length += size_of(word);
            names[length++] = ' ';
            continue;
        }
        const Span user = {word.at, find_text(word, "@") + 1}, domain = domain_of((Span){last + 1, word.end});
        if (MEET(table, place, span(":"), word) < 0 || MEET(table, place, span(":@"), domain) < 0 ||
            (is_same(place, span("to")) && MEET(table, place, span(":"), user) < 0))
            return -1;
    }
    return add_placed(table, place, names, length, NULL) < 0 ? -1 : 0;
}

static int add_identifier(WordTable *table, Span written, Span value)
{
    const char *at = find_last(value, '@');
    const Span host = {at ? at + 1 : value.at, value.end};
    Span number = stripped((Span){written.at, at ? written.at + (at - value.at) : written.at}, "<", 1, 0);
    char kinds[10];
    size_t length = 0;
    for (; number.at < number.end && length < sizeof kinds; number.at++) {
        const char each = *number.at;
        kinds[length++] = is_digit(each) ? '9' : is_capital(each) ? 'A' : each >= 'a' && each <= 'z' ? 'a' : each;
    }
    const Span kind = {kinds, kinds + length};
    return MEET(table, span("id:@"), domain_of(stripped(host, "<> ", 1, 1))) < 0 ? -1 : MEET(table, span("id:"), kind);
}

/* Add the words of a header whose words have this place. */
static int add_header(WordTable *table, const char *place, const char *value, Py_ssize_t size)
{
    char low[VALUE_CAP], text[VALUE_CAP];
    const size_t length = size > VALUE_CAP ? VALUE_CAP : (size_t)size;
    const Span written = {value, value + length}, read = {low, low + length};
    for (size_t at = 0; at < length; at++)
        low[at] = lowered(value[at]);
    if (!strcmp(place, "received"))
        return add_received(table, read);
    if (!strcmp(place, "origin"))
        return add_origin(table, read);
    if (!strcmp(place, "id"))
        return add_identifier(table, written, read);
    if (strcmp(place, "subject"))
        return add_addresses(table, span(place), read);
    memcpy(text, value, length);
    return add_subject(table, written, text);
}

#endif
