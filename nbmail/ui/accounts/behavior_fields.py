"""Fields of an account for spam, sorting, learning and sender checks."""

from dataclasses import replace

from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from nbmail.settings import Account, LearnMoves
from nbmail.ui.kit.fields import combo_of
from nbmail.ui.texts.language import tr
from nbmail.ui.texts.number_texts import percent
from nbmail.ui.texts.plain_text import plain_tip

LOSSES = (0.005, 0.01, 0.02, 0.05)
"""Offered limits of the upper end of the interval of lost good mail."""


class BehaviorFields:
    """Fields for what nbmail does with the mail of an account. `AccountForm` shows them."""

    def __init__(self, account: Account) -> None:
        self.spam_target = QLineEdit(placeholderText=tr("Found automatically"))
        self.spam_target.setText(account.spam_folder)
        self.sorting_loss = _loss_choice(account.sorting_loss)
        self.sorts_alone = QCheckBox(tr("Only on this computer (server without keywords)"))
        self.sorts_alone.setChecked(account.sorts_alone)
        self.learn_moves = _moves_choice(account.learn_moves)
        self.trusted = QLineEdit(placeholderText=tr("None known"))
        self.trusted.setText(", ".join(account.trusted_servers))
        self.trusted.setToolTip(
            plain_tip(tr("Mail servers whose sender checks nbmail trusts, separated by commas"))
        )

    def with_trusted(self, account: Account) -> Account:
        """Return the account with the trusted servers of the field, each once."""
        servers = self.trusted.text().lower().replace(",", " ").split()
        return replace(account, trusted_servers=tuple(dict.fromkeys(servers)))

    def with_server_choices(self, account: Account) -> Account:
        """Return an account on a mail server with all other values of the fields."""
        return replace(
            account,
            spam_folder=self.spam_target.text().strip(),
            sorting_loss=self.sorting_loss.currentData(),
            sorts_alone=self.sorts_alone.isChecked(),
            learn_moves=LearnMoves(self.learn_moves.currentData()),
        )


def _loss_choice(chosen: float) -> QComboBox:
    """Return the choice of the loss at which sorting begins."""
    text = tr("at a loss of at most {share}")
    losses = dict.fromkeys((*LOSSES, chosen))
    combo = combo_of((text.format(share=percent(loss)), loss) for loss in losses)
    combo.setCurrentIndex(combo.findData(chosen))
    about = tr(
        "Good mail that could be classified as spam: upper end of the 95 % interval of "
        "the model's test"
    )
    combo.setToolTip(plain_tip(about))
    return combo


def _moves_choice(chosen: LearnMoves) -> QComboBox:
    """Return the choice whether moves by other mail programs are learned."""
    entries = (
        (tr("Ask"), LearnMoves.ASK),
        (tr("Always learn"), LearnMoves.ALWAYS),
        (tr("Never learn"), LearnMoves.NEVER),
    )
    combo = combo_of(entries)
    combo.setCurrentIndex(combo.findData(chosen))
    about = tr("Messages that other mail programs move to the spam folder or out of it")
    combo.setToolTip(plain_tip(about))
    return combo
