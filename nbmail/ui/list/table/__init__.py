"""Table of the messages: Qt model, painters, selection and columns."""
