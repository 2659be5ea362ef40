"""What somebody who reads mail asks for: texts searched, marks of reading, attachments."""
