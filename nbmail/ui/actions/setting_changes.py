"""What follows from the user's choices."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from nbmail.settings import Account, Settings
from nbmail.ui.actions import user_actions
from nbmail.ui.actions.long_work import run_long
from nbmail.ui.kit.language import tr
from nbmail.ui.list.list_choice import Choice
from nbmail.worker.protocol import FolderName, LabelFolder, SetCost, SetMoving

if TYPE_CHECKING:
    from nbmail.ui.window.main_window import MainWindow


def add_account(window: MainWindow, account: Account, password: str) -> None:
    """Take a new account in: keep it, show it, have it fetched."""
    choose(window, replace(window.settings, accounts=(*window.settings.accounts, account)))
    window.sidebar_model.show_accounts(tuple(each.name for each in window.settings.accounts))
    window.outside.add_account(account, password)
    window.keeper.count()


def change_account(window: MainWindow, account: Account, password: str) -> None:
    """Settle an account that is there otherwise; an empty password leaves the one that is known."""
    changed = tuple(account if each.name == account.name else each for each in window.settings.accounts)
    if changed == window.settings.accounts and not password:
        return
    before = next((each for each in window.settings.accounts if each.name == account.name), account)
    choose(window, replace(window.settings, accounts=changed))
    window.banner.dismiss(account.name)
    window.outside.change_account(account, password)
    for label, folders, known in (
        ("junk", account.junk_folders, before.junk_folders),
        ("good", account.good_folders, before.good_folders),
    ):
        for folder in folders:
            if folder not in known:
                _learn_known(window, FolderName(account.name, folder), label)


def _learn_known(window: MainWindow, folder: FolderName, label: str) -> None:
    """Learn what is there already of a folder that was named just now; what is still to come is learned as it comes."""
    name = tr("Learning {folder}").format(folder=folder.folder)
    run_long(
        window,
        LabelFolder(folder, label, spare=True),
        name,
        lambda done: user_actions.say_marked(window, done) if done.messages else None,
    )


def remove_account(window: MainWindow, name: str) -> None:
    """Let an account go; what was learned from it stays."""
    kept = tuple(account for account in window.settings.accounts if account.name != name)
    choose(window, replace(window.settings, accounts=kept))
    window.outside.remove_account(name)
    window.sidebar_model.forget_account(name)
    window.training.look()
    window.banner.dismiss(name)
    folder = window.model.arrangement.choice.folder
    if folder is not None and folder.account == name:
        window.show_choice(Choice())
    window.keeper.count()


def choose(window: MainWindow, settings: Settings) -> None:
    """Take over what was chosen, now and for the next start."""
    before, window.settings = window.settings, settings
    if settings.junk_seen_per_lost != before.junk_seen_per_lost:
        window.talk.ask(SetCost(settings.junk_seen_per_lost))
    if settings.move_mail != before.move_mail:
        window.talk.ask(SetMoving(settings.move_mail))
    if settings.theme != before.theme:
        window.wear()
    window.outside.keep_settings(settings)
