"""Engine as the window and the command line use it: all requests, by subject.

No request waits, and all are safe from any thread. `engine.mark(messages, "spam").then(done,
failed=…)` calls `done` with a `Marked` on the window's thread; a command-line tool or a test calls
`.result()` instead. Requests that take long report progress, and all can be cancelled. Requests of
users run before newly arrived mail and background work.
"""

from collections.abc import Callable

from nbmail.paths import Paths
from nbmail.settings import Settings
from nbmail.sync.account_backend import AccountBackend
from nbmail.worker.engine.backend_proxy import BackendProxy
from nbmail.worker.engine.engine_thread import EngineThread
from nbmail.worker.engine.jobs import Emit
from nbmail.worker.engine.requests import early_long_request, early_request, long_request, request


class Engine(EngineThread):
    """The engine's thread with its requests. `backend`: interface for the account threads."""

    # Marks, their history and undo
    mark = request(lambda parts: parts.marking.mark)
    label_folder = request(lambda parts: parts.marking.label_folder)
    undo = request(lambda parts: parts.undoing.undo)
    redo = request(lambda parts: parts.undoing.redo)
    restore = request(lambda parts: parts.undoing.restore)
    reset = long_request(lambda parts: parts.undoing.reset)
    list_journal = early_request(lambda parts: parts.store.journal.latest)
    find_label_source = early_request(lambda parts: parts.marking.find_label_source)
    list_changed_verdicts = request(lambda parts: parts.verdicts.list_changed_verdicts)
    find_suspicious_labels = long_request(
        lambda parts: parts.suspicious_labels.find_suspicious_labels
    )
    decline_moves = request(lambda parts: parts.store.offered_moves.drop)
    set_moving = request(lambda parts: parts.moves_of_marks.set_moving)
    preview_moves = early_long_request(lambda parts: parts.moves_of_marks.preview_moves)

    # The list of messages
    list_mail = early_long_request(lambda parts: parts.list.list_mail)
    show_rows = request(lambda parts: parts.list.show_rows)
    find_text = early_request.growing(lambda parts: parts.search.find_text)
    list_conversation = early_request(lambda parts: parts.store.threads.messages)

    # One message
    read_message = early_request(lambda parts: parts.reader.read_message)
    fetch_whole = early_request(lambda parts: parts.reader.fetch_whole)
    read_source = early_request(lambda parts: parts.reader.read_source)
    read_pictures = early_request(lambda parts: parts.files.read_pictures)
    save_attachment = early_request(lambda parts: parts.files.save_attachment)
    write_message = early_request(lambda parts: parts.files.write_message)
    score_mail = request(lambda parts: parts.reader.score_mail)

    # Moves, deletions and flags
    list_folders = early_request(lambda parts: parts.store.server_folders.all)
    move = request(lambda parts: parts.filing.move)
    file_messages = request(lambda parts: parts.filing.file_messages)
    delete = request(lambda parts: parts.deletion.delete)
    preview_spam = request(lambda parts: parts.deletion.preview_spam)
    mark_read = early_request(lambda parts: parts.flags.mark_read)
    read_folder = request(lambda parts: parts.flags.read_folder)
    flag = request(lambda parts: parts.flags.flag)

    # Senders and accounts
    read_unsubscribe = early_request(lambda parts: parts.list_senders.read_unsubscribe)
    note_unsubscribed = early_request(lambda parts: parts.list_senders.note_unsubscribed)
    list_rules = early_request(lambda parts: parts.store.sender_rules.now)
    set_rule = request(lambda parts: parts.user_lists.set_rule)
    list_trusted_servers = early_request(lambda parts: parts.trust.list_trusted_servers)
    forget_account = long_request(lambda parts: parts.account_requests.forget_account)

    # Reasons of a score
    explain = request(lambda parts: parts.explanations.explain)

    # The model
    set_cost = request(lambda parts: parts.model.set_cost)
    use_method = long_request(lambda parts: parts.model.use_method)
    rebuild = long_request(lambda parts: parts.model.rebuild)
    select_queries = request(lambda parts: parts.queries.select_queries)
    report_training = request(lambda parts: parts.accuracy.report_training)
    measure_accuracy = long_request(lambda parts: parts.accuracy.measure_accuracy)
    draw_learning_curve = long_request.growing(lambda parts: parts.comparison.draw_learning_curve)
    compare_methods = long_request(lambda parts: parts.comparison.compare_methods)

    # Single words
    list_words = long_request(lambda parts: parts.words.list_words)
    describe_word = request(lambda parts: parts.word_descriptions.describe_word)
    weigh_word = long_request(lambda parts: parts.comparison.weigh_word)
    ignore_words = request(lambda parts: parts.user_lists.ignore_words)
    set_phrase = long_request(lambda parts: parts.user_lists.set_phrase)
    simulate_without = long_request(lambda parts: parts.simulations.simulate_without)
    simulate_mark = long_request(lambda parts: parts.simulations.simulate_mark)

    # Model files
    export_model = long_request(lambda parts: parts.model.export_model)
    preview_import = long_request(lambda parts: parts.model.preview_import)
    import_model = long_request(lambda parts: parts.model.import_model)
    drop_imports = long_request(lambda parts: parts.model.drop_imports)

    # Suggested folders
    choose_folders = request(lambda parts: parts.folder_updates.choose_folders)
    suggest_folders = request(lambda parts: parts.folder_suggestions.suggest_folders)
    explain_folder = request(lambda parts: parts.folder_suggestions.explain_folder)
    preview_filing = long_request(lambda parts: parts.folder_suggestions.preview_filing)
    report_folders = request(lambda parts: parts.folder_reports.report_folders)
    compare_folder_methods = long_request(lambda parts: parts.folder_methods.compare_folder_methods)
    list_folder_words = request(lambda parts: parts.folder_words.list_folder_words)

    # Automatic sorting
    set_sorting = request(lambda parts: parts.sorting.accounts.set_sorting)
    sorting_status = request(lambda parts: parts.sorting.accounts.status)
    rehearse_sorting = long_request(lambda parts: parts.sorting_previews.rehearse_sorting)
    preview_sort_now = long_request(lambda parts: parts.sorting_previews.preview_sort_now)
    sort_now = request(lambda parts: parts.sorted_list.sort_now)
    list_sorted = early_request(lambda parts: parts.sorted_list.list_sorted)
    find_sorted = early_request(lambda parts: parts.sorted_list.find_sorted)
    undo_sorting = request(lambda parts: parts.sorted_list.undo_sorting)
    filing_status = request(lambda parts: parts.sorting.decisions.filing_status)
    rehearse_filing = long_request(lambda parts: parts.sorting_previews.rehearse_filing)
    confirm_filing = request(lambda parts: parts.sorted_list.confirm_filing)

    def __init__(
        self,
        paths: Paths,
        clock: Callable[[], float],
        emit: Emit,
        *,
        settings: Settings | None = None,
        wake: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(paths, clock, emit, settings=settings, wake=wake)
        self.backend: AccountBackend = BackendProxy(self, emit)
