"""Typed methods of the engine as the old command classes, for the scripted engine."""

from tests.ui import say
from tests.ui.say import ALL_LABELS, WordOrder


class EngineJobs:
    """Each method calls `run` with a command."""

    def mark(self, messages, label):
        return self.run(say.Mark(tuple(messages), label))

    def label_folder(self, folder, label, *, only_unlabelled=False):
        return self.run(say.LabelFolder(folder, label, only_unlabelled))

    def undo(self, limit=None):
        return self.run(say.Undo(limit))

    def redo(self):
        return self.run(say.Redo())

    def restore(self, before):
        return self.run(say.GoBack(before))

    def reset(self):
        return self.run(say.StartOver())

    def take_back_labels(self):
        return self.run(say.TakeBackLabels())

    def leave_labels(self):
        return self.run(say.LeaveLabels())

    def list_journal(self, limit=1000):
        return self.run(say.ShowJournal(limit))

    def find_label_source(self, message):
        return self.run(say.FindLabelSource(message))

    def list_changed_verdicts(self):
        return self.run(say.ListMoved())

    def find_suspicious_labels(self):
        return self.run(say.FindSuspicious())

    def set_moving(self, on):
        return self.run(say.SetMoving(on))

    def preview_moves(self):
        return self.run(say.PreviewMoves())

    def list_mail(self):
        return self.run(say.ListMail())

    def show_rows(self, messages):
        return self.run(say.ShowRows(tuple(messages)))

    def read_message(self, message):
        return self.run(say.ReadMessage(message))

    def fetch_whole(self, message):
        return self.run(say.FetchWhole(message))

    def find_text(self, words):
        return self.run(say.FindText(words))

    def mark_read(self, messages, *, read=True):
        return self.run(say.MarkRead(tuple(messages), read))

    def read_source(self, message):
        return self.run(say.ReadSource(message))

    def save_attachment(self, message, number, path=None):
        return self.run(say.SaveAttachment(message, number, path))

    def score_mail(self, raw):
        return self.run(say.JudgeMail(raw))

    def list_trusted_servers(self, account):
        return self.run(say.ListTrustedServers(account))

    def forget_account(self, account):
        return self.run(say.ForgetAccount(account))

    def explain(self, message, strongest=12):
        return self.run(say.Explain(message, strongest))

    def explain_at(self, message, moment, strongest=12):
        return self.run(say.ExplainThen(message, moment, strongest))

    def score_at(self, moment, messages):
        return self.run(say.LookBack(moment, tuple(messages)))

    def trace_sender(self, message):
        return self.run(say.TraceSender(message))

    def set_cost(self, junk_seen):
        return self.run(say.SetCost(junk_seen))

    def rebuild(self):
        return self.run(say.Relearn())

    def use_method(self, method):
        return self.run(say.UseMethod(method))

    def measure_accuracy(self):
        return self.run(say.JudgeModel())

    def draw_learning_curve(self):
        return self.run(say.DrawLearningCurve())

    def compare_methods(self):
        return self.run(say.CompareMethods())

    def report_training(self, limit=ALL_LABELS, among=()):
        return self.run(say.ReportTraining(limit, tuple(among)))

    def select_queries(self, limit=2, exclude=()):
        return self.run(say.Ask(limit, tuple(exclude)))

    def list_words(self, search="", order=WordOrder.STRONGEST, *, limit=200, ignored=False):
        return self.run(say.ListWords(search, order, limit, ignored))

    def describe_word(self, word):
        return self.run(say.DescribeWord(word))

    def ignore_word(self, word, *, ignored=True):
        return self.run(say.IgnoreWord(word, ignored))

    def simulate_without(self, word, message=-1):
        return self.run(say.SupposeWithout(word, message))

    def simulate_mark(self, message, label):
        return self.run(say.SupposeMark(message, label))

    def export_model(self, path, format="", redact=0):
        return self.run(say.ExportModel(path, format, redact))

    def preview_import(self, path, format=""):
        return self.run(say.PreviewImport(path, format))

    def import_model(self, path, *, again=False, replace=False, leave_out=False, format=""):
        return self.run(say.ImportModel(path, again, replace, format, leave_out))

    def drop_imports(self):
        return self.run(say.DropImports())
