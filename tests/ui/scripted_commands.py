"""Typed methods of the engine as the old command classes, for the scripted engine."""

from typing import NamedTuple

from nbmail.worker import protocol
from nbmail.worker.protocol import model_files, own_model, reading, words
from nbmail.worker.protocol.own_model import EVERY_LABEL
from nbmail.worker.protocol.words import WordOrder


class TakeBackLabels(NamedTuple):
    """Request for the labels that only `labels.log` has."""


class LeaveLabels(NamedTuple):
    """Request to leave them out."""


class EngineJobs:
    """Each method calls `run` with a command."""

    def mark(self, messages, label):
        return self.run(protocol.Mark(tuple(messages), label))

    def label_folder(self, folder, label, *, only_unlabelled=False):
        return self.run(protocol.LabelFolder(folder, label, only_unlabelled))

    def undo(self, limit=None):
        return self.run(protocol.Undo(limit))

    def redo(self):
        return self.run(protocol.Redo())

    def restore(self, before):
        return self.run(protocol.GoBack(before))

    def reset(self):
        return self.run(own_model.StartOver())

    def take_back_labels(self):
        return self.run(TakeBackLabels())

    def leave_labels(self):
        return self.run(LeaveLabels())

    def list_journal(self, limit=1000):
        return self.run(protocol.ShowJournal(limit))

    def find_label_source(self, message):
        return self.run(protocol.FindLabelSource(message))

    def list_changed_verdicts(self):
        return self.run(words.ListMoved())

    def find_suspicious_labels(self):
        return self.run(protocol.FindSuspicious())

    def set_moving(self, on):
        return self.run(protocol.SetMoving(on))

    def preview_moves(self):
        return self.run(protocol.PreviewMoves())

    def list_mail(self):
        return self.run(protocol.ListMail())

    def show_rows(self, messages):
        return self.run(protocol.ShowRows(tuple(messages)))

    def read_message(self, message):
        return self.run(protocol.ReadMessage(message))

    def fetch_whole(self, message):
        return self.run(protocol.FetchWhole(message))

    def find_text(self, words):
        return self.run(reading.FindText(words))

    def mark_read(self, messages, *, read=True):
        return self.run(reading.MarkRead(tuple(messages), read))

    def read_source(self, message):
        return self.run(reading.ReadSource(message))

    def save_attachment(self, message, number, path=None):
        return self.run(reading.SaveAttachment(message, number, path))

    def score_mail(self, raw):
        return self.run(reading.JudgeMail(raw))

    def forget_account(self, account):
        return self.run(protocol.ForgetAccount(account))

    def explain(self, message, strongest=12):
        return self.run(protocol.Explain(message, strongest))

    def explain_at(self, message, moment, strongest=12):
        return self.run(words.ExplainThen(message, moment, strongest))

    def score_at(self, moment, messages):
        return self.run(protocol.LookBack(moment, tuple(messages)))

    def trace_sender(self, message):
        return self.run(protocol.TraceSender(message))

    def set_cost(self, junk_seen):
        return self.run(protocol.SetCost(junk_seen))

    def rebuild(self):
        return self.run(protocol.Relearn())

    def use_method(self, method):
        return self.run(own_model.UseMethod(method))

    def measure_accuracy(self):
        return self.run(own_model.JudgeModel())

    def draw_learning_curve(self):
        return self.run(own_model.DrawLearningCurve())

    def compare_methods(self):
        return self.run(own_model.CompareMethods())

    def report_training(self, limit=EVERY_LABEL, among=()):
        return self.run(own_model.ReportTraining(limit, tuple(among)))

    def select_queries(self, limit=2, exclude=()):
        return self.run(own_model.Ask(limit, tuple(exclude)))

    def list_words(self, search="", order=WordOrder.STRONGEST, *, limit=200, ignored=False):
        return self.run(words.ListWords(search, order, limit, ignored))

    def describe_word(self, word):
        return self.run(words.DescribeWord(word))

    def ignore_word(self, word, *, ignored=True):
        return self.run(words.IgnoreWord(word, ignored))

    def simulate_without(self, word, message=-1):
        return self.run(words.SupposeWithout(word, message))

    def simulate_mark(self, message, label):
        return self.run(words.SupposeMark(message, label))

    def export_model(self, path, format="", redact=0):
        return self.run(protocol.ExportModel(path, format, redact))

    def preview_import(self, path, format=""):
        return self.run(model_files.PreviewImport(path, format))

    def import_model(self, path, *, again=False, replace=False, format=""):
        return self.run(protocol.ImportModel(path, again, replace, format))

    def drop_imports(self):
        return self.run(model_files.DropImports())
