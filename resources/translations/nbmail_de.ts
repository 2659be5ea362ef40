<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
 <context>
  <name>nbmail</name>
  <message>
   <source> and </source>
   <translation> und </translation>
  </message>
  <message>
   <source>%n answer</source>
   <translation>%n Antwort</translation>
  </message>
  <message>
   <source>%n answers</source>
   <translation>%n Antworten</translation>
  </message>
  <message>
   <source>%n attachment</source>
   <translation>%n Anhang</translation>
  </message>
  <message>
   <source>%n attachments</source>
   <translation>%n Anhänge</translation>
  </message>
  <message>
   <source>%n good</source>
   <translation>%n gut</translation>
  </message>
  <message>
   <source>%n hidden word.</source>
   <translation>%n verborgenes Wort.</translation>
  </message>
  <message>
   <source>%n hidden words.</source>
   <translation>%n verborgene Wörter.</translation>
  </message>
  <message>
   <source>%n junk</source>
   <translation>%n Junk</translation>
  </message>
  <message>
   <source>%n mark changed.</source>
   <translation>%n Markierung geändert.</translation>
  </message>
  <message>
   <source>%n mark the other way would turn it.</source>
   <translation>%n gegenteilige Markierung würde es ändern.</translation>
  </message>
  <message>
   <source>%n marks are back.</source>
   <translation>%n Markierungen sind wieder da.</translation>
  </message>
  <message>
   <source>%n marks are missing in the file with your marks, but not in labels.log.</source>
   <translation>%n Markierungen fehlen in der Datei mit Ihren Markierungen, aber nicht in labels.log.</translation>
  </message>
  <message>
   <source>%n marks changed.</source>
   <translation>%n Markierungen geändert.</translation>
  </message>
  <message>
   <source>%n marks the other way would turn it.</source>
   <translation>%n gegenteilige Markierungen würden es ändern.</translation>
  </message>
  <message>
   <source>%n message</source>
   <translation>%n Nachricht</translation>
  </message>
  <message>
   <source>%n message gets another verdict.</source>
   <translation>%n Nachricht bekommt ein anderes Urteil.</translation>
  </message>
  <message>
   <source>%n message holds it:</source>
   <translation>%n Nachricht enthält es:</translation>
  </message>
  <message>
   <source>%n messages</source>
   <translation>%n Nachrichten</translation>
  </message>
  <message>
   <source>%n messages get another verdict.</source>
   <translation>%n Nachrichten bekommen ein anderes Urteil.</translation>
  </message>
  <message>
   <source>%n messages hold it:</source>
   <translation>%n Nachrichten enthalten es:</translation>
  </message>
  <message>
   <source>%n minute</source>
   <translation>%n Minute</translation>
  </message>
  <message>
   <source>%n minute ago</source>
   <translation>vor %n Minute</translation>
  </message>
  <message>
   <source>%n minutes</source>
   <translation>%n Minuten</translation>
  </message>
  <message>
   <source>%n minutes ago</source>
   <translation>vor %n Minuten</translation>
  </message>
  <message>
   <source>%n more good</source>
   <translation>noch %n gute</translation>
  </message>
  <message>
   <source>%n more good one would help most</source>
   <translation>%n weitere gute würde am meisten helfen</translation>
  </message>
  <message>
   <source>%n more good ones would help most</source>
   <translation>%n weitere gute würden am meisten helfen</translation>
  </message>
  <message>
   <source>%n more junk</source>
   <translation>noch %n Junk</translation>
  </message>
  <message>
   <source>%n more junk message would help most</source>
   <translation>%n weitere Junk-Nachricht würde am meisten helfen</translation>
  </message>
  <message>
   <source>%n more junk messages would help most</source>
   <translation>%n weitere Junk-Nachrichten würden am meisten helfen</translation>
  </message>
  <message>
   <source>%n new message</source>
   <translation>%n neue Nachricht</translation>
  </message>
  <message>
   <source>%n new messages</source>
   <translation>%n neue Nachrichten</translation>
  </message>
  <message>
   <source>%n other got its verdict from what you taught.</source>
   <translation>%n andere hat dadurch ihr Urteil bekommen.</translation>
  </message>
  <message>
   <source>%n other message changed its verdict.</source>
   <translation>%n andere Nachricht hat ihr Urteil geändert.</translation>
  </message>
  <message>
   <source>%n other messages changed their verdict.</source>
   <translation>%n andere Nachrichten haben ihr Urteil geändert.</translation>
  </message>
  <message>
   <source>%n others got their verdict from what you taught.</source>
   <translation>%n andere haben dadurch ihr Urteil bekommen.</translation>
  </message>
  <message>
   <source>%n picture was not loaded.</source>
   <translation>%n Bild wurde nicht geladen.</translation>
  </message>
  <message>
   <source>%n pictures were not loaded.</source>
   <translation>%n Bilder wurden nicht geladen.</translation>
  </message>
  <message>
   <source>%n second</source>
   <translation>%n Sekunde</translation>
  </message>
  <message>
   <source>%n seconds</source>
   <translation>%n Sekunden</translation>
  </message>
  <message>
   <source>%n selected</source>
   <translation>%n ausgewählt</translation>
  </message>
  <message>
   <source>%n unmarked</source>
   <translation>%n ohne Markierung</translation>
  </message>
  <message>
   <source>%n was skipped and stays unsure.</source>
   <translation>%n wurde übersprungen und bleibt unsicher.</translation>
  </message>
  <message>
   <source>%n weaker word</source>
   <translation>%n schwächeres Wort</translation>
  </message>
  <message>
   <source>%n weaker words</source>
   <translation>%n schwächere Wörter</translation>
  </message>
  <message>
   <source>%n were skipped and stay unsure.</source>
   <translation>%n wurden übersprungen und bleiben unsicher.</translation>
  </message>
  <message>
   <source>%n word</source>
   <translation>%n Wort</translation>
  </message>
  <message>
   <source>%n word.</source>
   <translation>%n Wort.</translation>
  </message>
  <message>
   <source>%n words</source>
   <translation>%n Wörter</translation>
  </message>
  <message>
   <source>%n words.</source>
   <translation>%n Wörter.</translation>
  </message>
  <message>
   <source>&amp;All about it…</source>
   <translation>&amp;Alles darüber …</translation>
  </message>
  <message>
   <source>&amp;Compare on my mail</source>
   <translation>An meiner Mail &amp;vergleichen</translation>
  </message>
  <message>
   <source>&amp;Draw what more marks bring</source>
   <translation>&amp;Zeichnen, was mehr Markierungen bringen</translation>
  </message>
  <message>
   <source>&amp;Edit</source>
   <translation>&amp;Bearbeiten</translation>
  </message>
  <message>
   <source>&amp;Export…</source>
   <translation>&amp;Exportieren …</translation>
  </message>
  <message>
   <source>&amp;Go back to before this…</source>
   <translation>&amp;Zurück vor diese Markierung …</translation>
  </message>
  <message>
   <source>&amp;Help</source>
   <translation>&amp;Hilfe</translation>
  </message>
  <message>
   <source>&amp;Import…</source>
   <translation>&amp;Importieren …</translation>
  </message>
  <message>
   <source>&amp;Learn anew…</source>
   <translation>&amp;Neu lernen …</translation>
  </message>
  <message>
   <source>&amp;Look again</source>
   <translation>&amp;Noch einmal prüfen</translation>
  </message>
  <message>
   <source>&amp;Mail</source>
   <translation>&amp;Mail</translation>
  </message>
  <message>
   <source>&amp;Mark the other way</source>
   <translation>&amp;Umgekehrt markieren</translation>
  </message>
  <message>
   <source>&amp;Start from nothing…</source>
   <translation>Von &amp;vorn anfangen …</translation>
  </message>
  <message>
   <source>&amp;Use this one</source>
   <translation>Dieses &amp;nehmen</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>(in no mailbox any more)</source>
   <translation>(in keinem Postfach mehr)</translation>
  </message>
  <message>
   <source>(no sender)</source>
   <translation>(kein Absender)</translation>
  </message>
  <message>
   <source>(no subject)</source>
   <translation>(kein Betreff)</translation>
  </message>
  <message>
   <source>1 attachment</source>
   <translation>1 Anhang</translation>
  </message>
  <message>
   <source>1 folder</source>
   <translation>1 Ordner</translation>
  </message>
  <message>
   <source>1 header line</source>
   <translation>1 Kopfzeile</translation>
  </message>
  <message>
   <source>1 layout tag</source>
   <translation>1 Layout-Tag</translation>
  </message>
  <message>
   <source>1 link</source>
   <translation>1 Link</translation>
  </message>
  <message>
   <source>1 mark is back.</source>
   <translation>1 Markierung ist wieder da.</translation>
  </message>
  <message>
   <source>1 mark is missing in the file with your marks, but not in labels.log.</source>
   <translation>1 Markierung fehlt in der Datei mit Ihren Markierungen, aber nicht in labels.log.</translation>
  </message>
  <message>
   <source>1 message was moved out of Junk elsewhere.</source>
   <translation>1 Nachricht wurde anderswo aus Junk geholt.</translation>
  </message>
  <message>
   <source>1 message was moved to Junk elsewhere.</source>
   <translation>1 Nachricht wurde anderswo nach Junk verschoben.</translation>
  </message>
  <message>
   <source>1 picture</source>
   <translation>1 Bild</translation>
  </message>
  <message>
   <source>1 quoted line</source>
   <translation>1 zitierte Zeile</translation>
  </message>
  <message>
   <source>1 recipient</source>
   <translation>1 Empfänger</translation>
  </message>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>A folder is no longer on the server.</source>
   <translation>Ein Ordner ist nicht mehr auf dem Server.</translation>
  </message>
  <message>
   <source>A made-up mailbox</source>
   <translation>Ein erfundenes Postfach</translation>
  </message>
  <message>
   <source>A model of nbmail or of another filter. You see what it would bring first, and can undo it.</source>
   <translation>Ein Modell von nbmail oder einem anderen Filter. Sie sehen erst, was es brächte, und können es zurücknehmen.</translation>
  </message>
  <message>
   <source>A percentage follows once enough of your marks have been checked.</source>
   <translation>Prozente folgen, sobald genug Ihrer Markierungen geprüft sind.</translation>
  </message>
  <message>
   <source>About nbmail</source>
   <translation>Über nbmail</translation>
  </message>
  <message>
   <source>Actions</source>
   <translation>Aktionen</translation>
  </message>
  <message>
   <source>Add a mailbox</source>
   <translation>Postfach hinzufügen</translation>
  </message>
  <message>
   <source>Add a mailbox…</source>
   <translation>Postfach hinzufügen …</translation>
  </message>
  <message>
   <source>Add mailbox</source>
   <translation>Postfach hinzufügen</translation>
  </message>
  <message>
   <source>Add to what was learned</source>
   <translation>Zum Gelernten hinzufügen</translation>
  </message>
  <message>
   <source>Add what was learned elsewhere</source>
   <translation>Hinzufügen, was anderswo gelernt wurde</translation>
  </message>
  <message>
   <source>Add your mailbox…</source>
   <translation>Ihr Postfach hinzufügen …</translation>
  </message>
  <message>
   <source>Adds</source>
   <translation>Anteil</translation>
  </message>
  <message>
   <source>After</source>
   <translation>Nachher</translation>
  </message>
  <message>
   <source>After a mark</source>
   <translation>Nach dem Markieren</translation>
  </message>
  <message>
   <source>All</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>All counts, in tables a spreadsheet opens. They hold words of your mail: share them with care.</source>
   <translation>Alle Zählungen, in Tabellen für jedes Rechenblatt. Sie enthalten Wörter Ihrer Mail: Geben Sie sie mit Bedacht weiter.</translation>
  </message>
  <message>
   <source>All files (*)</source>
   <translation>Alle Dateien (*)</translation>
  </message>
  <message>
   <source>All headers</source>
   <translation>Alle Kopfzeilen</translation>
  </message>
  <message>
   <source>All mail</source>
   <translation>Alle Mail</translation>
  </message>
  <message>
   <source>All marks and all that was imported go; your mail stays. The model is first saved to a file, and Undo brings all of it back.</source>
   <translation>Alle Markierungen und alles Importierte gehen; Ihre Mail bleibt. Das Modell wird zuerst in einer Datei gesichert, und „Rückgängig“ bringt alles zurück.</translation>
  </message>
  <message>
   <source>All marks are as they were then: nothing changed.</source>
   <translation>Alle Markierungen sind, wie sie damals waren: nichts hat sich geändert.</translation>
  </message>
  <message>
   <source>All of it is taken back at once. Redo does it again.</source>
   <translation>Alles davon wird auf einmal zurückgenommen. Wiederholen stellt es wieder her.</translation>
  </message>
  <message>
   <source>All reasons</source>
   <translation>Alle Gründe</translation>
  </message>
  <message>
   <source>An older copy of the file may have been put back. Dismiss this to go on without these marks.</source>
   <translation>Vielleicht wurde eine ältere Kopie der Datei zurückgelegt. „Ausblenden“ macht ohne diese Markierungen weiter.</translation>
  </message>
  <message>
   <source>An open message counts as read</source>
   <translation>Eine offene Nachricht gilt als gelesen</translation>
  </message>
  <message>
   <source>Another language holds from the next start.</source>
   <translation>Eine andere Sprache gilt ab dem nächsten Start.</translation>
  </message>
  <message>
   <source>Answers to</source>
   <translation>Antworten an</translation>
  </message>
  <message>
   <source>As it came</source>
   <translation>Wie sie kam</translation>
  </message>
  <message>
   <source>Asking which folders it has…</source>
   <translation>Frage nach den Ordnern …</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Back to the list</source>
   <translation>Zur Liste</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>Vorher</translation>
  </message>
  <message>
   <source>Builds counts and corrections from your marks once more, after a backup. Your marks stay.</source>
   <translation>Baut Zählungen und Korrekturen noch einmal aus Ihren Markierungen auf, nach einer Sicherung. Ihre Markierungen bleiben.</translation>
  </message>
  <message>
   <source>By</source>
   <translation>Durch</translation>
  </message>
  <message>
   <source>By what nbmail learned from the others, each would have been called good. The surest mistake first.</source>
   <translation>Nach dem, was nbmail aus den anderen gelernt hat, wäre jede gut genannt worden. Der sicherste Irrtum zuerst.</translation>
  </message>
  <message>
   <source>By what nbmail learned from the others, each would have been called junk. The surest mistake first.</source>
   <translation>Nach dem, was nbmail aus den anderen gelernt hat, wäre jede Junk genannt worden. Der sicherste Irrtum zuerst.</translation>
  </message>
  <message>
   <source>By what nbmail learned from the others, it catches {share} of {count} junk messages.</source>
   <translation>Nach dem, was nbmail aus den anderen gelernt hat, erkennt es {share} von {count} Junk-Nachrichten.</translation>
  </message>
  <message>
   <source>By your own marks: each was scored by a model that had not learned it.</source>
   <translation>Nach Ihren eigenen Markierungen: jede wurde von einem Modell bewertet, das sie nicht gelernt hatte.</translation>
  </message>
  <message>
   <source>Calling {host}…</source>
   <translation>Rufe {host} …</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Caught</source>
   <translation>Erkannt</translation>
  </message>
  <message>
   <source>Certificate file</source>
   <translation>Zertifikatsdatei</translation>
  </message>
  <message>
   <source>Chance of junk</source>
   <translation>Junk-Chance</translation>
  </message>
  <message>
   <source>Chance of junk over time. Left and right go from mark to mark.</source>
   <translation>Wie sicher Junk, im Lauf der Zeit. Links und Rechts gehen von Markierung zu Markierung.</translation>
  </message>
  <message>
   <source>Change settings…</source>
   <translation>Einstellungen ändern …</translation>
  </message>
  <message>
   <source>Change this mailbox…</source>
   <translation>Dieses Postfach ändern …</translation>
  </message>
  <message>
   <source>Change {name}</source>
   <translation>{name} ändern</translation>
  </message>
  <message>
   <source>Changed %n message.</source>
   <translation>%n Nachricht geändert.</translation>
  </message>
  <message>
   <source>Changed %n messages.</source>
   <translation>%n Nachrichten geändert.</translation>
  </message>
  <message>
   <source>Change…</source>
   <translation>Ändern …</translation>
  </message>
  <message>
   <source>Check for mail</source>
   <translation>Nach Mail sehen</translation>
  </message>
  <message>
   <source>Check the port and the protection, or try again in a moment.</source>
   <translation>Prüfen Sie Port und Schutz, oder versuchen Sie es gleich noch einmal.</translation>
  </message>
  <message>
   <source>Check the server's name and port. If they are right, try again later.</source>
   <translation>Prüfen Sie Namen und Port des Servers. Stimmen sie, versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>Check the server's name, the port, and your internet connection.</source>
   <translation>Prüfen Sie den Namen des Servers, den Port und Ihre Internetverbindung.</translation>
  </message>
  <message>
   <source>Check your internet connection and the server's name. nbmail keeps trying by itself.</source>
   <translation>Prüfen Sie die Internetverbindung und den Namen des Servers. nbmail versucht es von selbst weiter.</translation>
  </message>
  <message>
   <source>Checking each mark against all the others…</source>
   <translation>Jede Markierung wird an allen anderen geprüft …</translation>
  </message>
  <message>
   <source>Checking who it is…</source>
   <translation>Prüfe, wer es ist …</translation>
  </message>
  <message>
   <source>Choose a list</source>
   <translation>Eine Liste wählen</translation>
  </message>
  <message>
   <source>Choose a message in the main window.</source>
   <translation>Wählen Sie eine Nachricht im Hauptfenster.</translation>
  </message>
  <message>
   <source>Choose another folder or file.</source>
   <translation>Wählen Sie einen anderen Ordner oder eine andere Datei.</translation>
  </message>
  <message>
   <source>Choose another one in the mailbox's settings.</source>
   <translation>Wählen Sie einen anderen in den Einstellungen des Postfachs.</translation>
  </message>
  <message>
   <source>Choose folders…</source>
   <translation>Ordner wählen …</translation>
  </message>
  <message>
   <source>Choose the folder or file that holds the mail.</source>
   <translation>Wählen Sie den Ordner oder die Datei mit der Mail.</translation>
  </message>
  <message>
   <source>Clear mark</source>
   <translation>Markierung löschen</translation>
  </message>
  <message>
   <source>Clear the search</source>
   <translation>Suche leeren</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Colours</source>
   <translation>Farben</translation>
  </message>
  <message>
   <source>Connecting…</source>
   <translation>Verbindet …</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Copied.</source>
   <translation>Kopiert.</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopie</translation>
  </message>
  <message>
   <source>Copy all</source>
   <translation>Alles kopieren</translation>
  </message>
  <message>
   <source>Counting…</source>
   <translation>Wird gezählt …</translation>
  </message>
  <message>
   <source>Counts</source>
   <translation>Zahlen</translation>
  </message>
  <message>
   <source>Date</source>
   <translation>Datum</translation>
  </message>
  <message>
   <source>Decide one by one</source>
   <translation>Einzeln entscheiden</translation>
  </message>
  <message>
   <source>Decided by</source>
   <translation>Entschieden</translation>
  </message>
  <message>
   <source>Delete or move some mail there; nbmail then goes on by itself.</source>
   <translation>Löschen oder verschieben Sie dort Mail; nbmail macht dann von selbst weiter.</translation>
  </message>
  <message>
   <source>Did again: {step}.</source>
   <translation>Wiederholt: {step}.</translation>
  </message>
  <message>
   <source>Dismiss</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <source>Doing again</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Don't open</source>
   <translation>Nicht öffnen</translation>
  </message>
  <message>
   <source>Done again.</source>
   <translation>Wiederholt.</translation>
  </message>
  <message>
   <source>Doubtful marks</source>
   <translation>Zweifelhafte</translation>
  </message>
  <message>
   <source>Doubtful marks, the strongest doubt first</source>
   <translation>Zweifelhafte Markierungen, die zweifelhafteste zuerst</translation>
  </message>
  <message>
   <source>Each learns from your older marked mail and is compared on newer: the golden rule.</source>
   <translation>Jedes lernt aus Ihrer älteren markierten Mail und wird an neuerer verglichen: die goldene Regel.</translation>
  </message>
  <message>
   <source>Each mark is checked against what other marks teach, without itself.</source>
   <translation>Jede Markierung wird daran geprüft, was die anderen lehren, ohne sie selbst.</translation>
  </message>
  <message>
   <source>Each message is scored before nbmail learns it: only those scores count.</source>
   <translation>Jede Nachricht wird bewertet, bevor nbmail sie lernt: nur diese Bewertungen zählen.</translation>
  </message>
  <message>
   <source>Each of them was scored before nbmail learned what it is.</source>
   <translation>Jede von ihnen wurde bewertet, bevor nbmail lernte, was sie ist.</translation>
  </message>
  <message>
   <source>Each point is a model of so many marks, judged on {count} newer messages that it never learned.</source>
   <translation>Jeder Punkt ist ein Modell aus so vielen Markierungen, beurteilt an {count} neueren Nachrichten, die es nie gelernt hat.</translation>
  </message>
  <message>
   <source>Each way of learning learns your mail and is judged…</source>
   <translation>Jedes Verfahren lernt Ihre Mail und wird beurteilt …</translation>
  </message>
  <message>
   <source>Enter</source>
   <translation>Enter</translation>
  </message>
  <message>
   <source>Enter or a double click shows the message in the main window.</source>
   <translation>Enter oder ein Doppelklick zeigt die Nachricht im Hauptfenster.</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Everything here has been read.</source>
   <translation>Alles hier ist gelesen.</translation>
  </message>
  <message>
   <source>Everything stays on this computer: your mail, what was learned, and your password in the system's keyring.</source>
   <translation>Alles bleibt auf diesem Computer: Ihre Mail, was gelernt wurde, und Ihr Passwort im Schlüsselbund des Systems.</translation>
  </message>
  <message>
   <source>Export a model to give away</source>
   <translation>Modell zum Weitergeben exportieren</translation>
  </message>
  <message>
   <source>Export a model to give away…</source>
   <translation>Modell zum Weitergeben exportieren …</translation>
  </message>
  <message>
   <source>Export model</source>
   <translation>Modell exportieren</translation>
  </message>
  <message>
   <source>Export model…</source>
   <translation>Modell exportieren …</translation>
  </message>
  <message>
   <source>Exported {words} words of {messages} messages to {name}.</source>
   <translation>{words} Wörter aus {messages} Nachrichten nach {name} exportiert.</translation>
  </message>
  <message>
   <source>Exporting</source>
   <translation>Export</translation>
  </message>
  <message>
   <source>Extend the selection</source>
   <translation>Auswahl erweitern</translation>
  </message>
  <message>
   <source>Fetching all of it…</source>
   <translation>Sie wird ganz geholt …</translation>
  </message>
  <message>
   <source>Fetching it again…</source>
   <translation>Sie wird wieder geholt …</translation>
  </message>
  <message>
   <source>Fetching your mail…</source>
   <translation>Ihre Mail wird geholt …</translation>
  </message>
  <message>
   <source>File with mail</source>
   <translation>Datei mit Mail</translation>
  </message>
  <message>
   <source>File…</source>
   <translation>Datei …</translation>
  </message>
  <message>
   <source>Find in this window</source>
   <translation>In diesem Fenster suchen</translation>
  </message>
  <message>
   <source>Find settings</source>
   <translation>Einstellungen suchen</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folder for junk</source>
   <translation>Ordner für Junk</translation>
  </message>
  <message>
   <source>Folder or file</source>
   <translation>Ordner oder Datei</translation>
  </message>
  <message>
   <source>Folder with mail</source>
   <translation>Ordner mit Mail</translation>
  </message>
  <message>
   <source>Folders</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folders of the mailbox</source>
   <translation>Ordner des Postfachs</translation>
  </message>
  <message>
   <source>Folder…</source>
   <translation>Ordner …</translation>
  </message>
  <message>
   <source>Forget everything</source>
   <translation>Alles vergessen</translation>
  </message>
  <message>
   <source>Forget everything that nbmail has learned?</source>
   <translation>Alles vergessen, was nbmail gelernt hat?</translation>
  </message>
  <message>
   <source>Forget what I said about this</source>
   <translation>Vergessen, was ich hierzu gesagt habe</translation>
  </message>
  <message>
   <source>Forgets all marks and all that was imported, after a backup. Undo brings it back.</source>
   <translation>Vergisst alle Markierungen und alles Importierte, nach einer Sicherung. „Rückgängig“ bringt es zurück.</translation>
  </message>
  <message>
   <source>Forgot %n mark.</source>
   <translation>%n Markierung vergessen.</translation>
  </message>
  <message>
   <source>Forgot %n marks.</source>
   <translation>%n Markierungen vergessen.</translation>
  </message>
  <message>
   <source>Found here</source>
   <translation>Hier gefunden</translation>
  </message>
  <message>
   <source>Found in</source>
   <translation>Steht in</translation>
  </message>
  <message>
   <source>Found your mail server: {host}. Now type your password.</source>
   <translation>Ihr Mailserver ist gefunden: {host}. Geben Sie jetzt Ihr Passwort ein.</translation>
  </message>
  <message>
   <source>From</source>
   <translation>Von</translation>
  </message>
  <message>
   <source>From ({number} of {count})</source>
   <translation>Von ({number} von {count})</translation>
  </message>
  <message>
   <source>From now on nbmail learns by {method}. All scores are those of this way.</source>
   <translation>Von jetzt an lernt nbmail nach: {method}. Alle Werte sind die dieses Verfahrens.</translation>
  </message>
  <message>
   <source>From now on, what you mark as junk goes to the junk folder, and what you mark as not junk comes back to the inbox. What is marked already stays where it is, and Undo moves back.</source>
   <translation>Was Sie von jetzt an als Junk markieren, geht in den Junk-Ordner, und was Sie als kein Junk markieren, kommt zurück in den Posteingang. Was schon markiert ist, bleibt, wo es ist, und Rückgängig verschiebt zurück.</translation>
  </message>
  <message>
   <source>Go back</source>
   <translation>Zurückgehen</translation>
  </message>
  <message>
   <source>Go back?</source>
   <translation>Zurückgehen?</translation>
  </message>
  <message>
   <source>Go on</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Go on learning from folders</source>
   <translation>Weiter aus Ordnern lernen</translation>
  </message>
  <message>
   <source>Go on with what teaches most</source>
   <translation>Weiter mit dem, was am meisten lehrt</translation>
  </message>
  <message>
   <source>Goes to</source>
   <translation>Kommt nach</translation>
  </message>
  <message>
   <source>Going back</source>
   <translation>Zurückgehen</translation>
  </message>
  <message>
   <source>Going back in time brought that back on {when}.</source>
   <translation>Das Zurückgehen hat das zurückgebracht ({when}).</translation>
  </message>
  <message>
   <source>Going back…</source>
   <translation>Es geht zurück …</translation>
  </message>
  <message>
   <source>Good</source>
   <translation>Gut</translation>
  </message>
  <message>
   <source>Good mail called junk</source>
   <translation>Gute Mail, die Junk genannt wurde</translation>
  </message>
  <message>
   <source>Headers and source…</source>
   <translation>Kopfzeilen und Quelltext …</translation>
  </message>
  <message>
   <source>Held back: junk begins at {percent}</source>
   <translation>Zurückgehalten: Junk beginnt bei {percent}</translation>
  </message>
  <message>
   <source>Honest percentages in a moment</source>
   <translation>Ehrliche Prozente in einem Moment</translation>
  </message>
  <message>
   <source>How good it is</source>
   <translation>Wie gut es ist</translation>
  </message>
  <message>
   <source>How good would nbmail be with fewer marks? The newest fifth of your marked mail is judged for that.</source>
   <translation>Wie gut wäre nbmail mit weniger Markierungen? Dafür wird das neueste Fünftel Ihrer markierten Mail beurteilt.</translation>
  </message>
  <message>
   <source>How messages with such a score turned out, so that of 100 that are told 90 % about 90 are junk.</source>
   <translation>Was aus Nachrichten mit solchem Ergebnis wurde, sodass von 100, denen 90 % gesagt werden, etwa 90 Junk sind.</translation>
  </message>
  <message>
   <source>How much more often each of its words was in your junk than in your good mail, or less often.</source>
   <translation>Wie viel öfter oder seltener jedes ihrer Wörter in Ihrem Junk stand als in Ihren guten Nachrichten.</translation>
  </message>
  <message>
   <source>How much of the folder has been learned</source>
   <translation>Wie viel von dem Ordner gelernt ist</translation>
  </message>
  <message>
   <source>How much of what you marked was junk, before a word of this message is read.</source>
   <translation>Wie viel von dem, was Sie markiert haben, Junk war, bevor ein Wort dieser Nachricht gelesen ist.</translation>
  </message>
  <message>
   <source>How often a good message scored higher than a junk message: the less the better.</source>
   <translation>Wie oft eine gute Nachricht höher eingestuft war als eine Junk-Nachricht: je seltener, desto besser.</translation>
  </message>
  <message>
   <source>How strongly it speaks for good mail or for junk</source>
   <translation>Wie stark es für gute Mail oder für Junk spricht</translation>
  </message>
  <message>
   <source>How the score comes about line by line, from the top to the sum; the mark is where junk begins</source>
   <translation>Wie das Ergebnis Zeile für Zeile entsteht, von oben bis zur Summe; der Strich ist, wo Junk beginnt</translation>
  </message>
  <message>
   <source>I&amp;gnore it</source>
   <translation>Über&amp;gehen</translation>
  </message>
  <message>
   <source>If it were good?</source>
   <translation>Wenn sie gut wäre?</translation>
  </message>
  <message>
   <source>If it were junk?</source>
   <translation>Wenn sie Junk wäre?</translation>
  </message>
  <message>
   <source>Ignore this word</source>
   <translation>Dieses Wort übergehen</translation>
  </message>
  <message>
   <source>Import model</source>
   <translation>Modell importieren</translation>
  </message>
  <message>
   <source>Import model…</source>
   <translation>Modell importieren …</translation>
  </message>
  <message>
   <source>Import this model?</source>
   <translation>Dieses Modell importieren?</translation>
  </message>
  <message>
   <source>Imported {words} words of {messages} messages.</source>
   <translation>{words} Wörter aus {messages} Nachrichten importiert.</translation>
  </message>
  <message>
   <source>Importing</source>
   <translation>Import</translation>
  </message>
  <message>
   <source>In between it was as high as {chance}.</source>
   <translation>Dazwischen waren es bis zu {chance}.</translation>
  </message>
  <message>
   <source>In between it was as low as {chance}.</source>
   <translation>Dazwischen waren es nur {chance}.</translation>
  </message>
  <message>
   <source>In good</source>
   <translation>In gut</translation>
  </message>
  <message>
   <source>In good mail</source>
   <translation>In guter Mail</translation>
  </message>
  <message>
   <source>In how many of your good messages it was</source>
   <translation>In wie vielen Ihrer guten Nachrichten es stand</translation>
  </message>
  <message>
   <source>In how many of your junk messages it was</source>
   <translation>In wie vielen Ihrer Junk-Nachrichten es stand</translation>
  </message>
  <message>
   <source>In junk</source>
   <translation>In Junk</translation>
  </message>
  <message>
   <source>In senders, subjects and texts. Words in quotes stand one behind the other.</source>
   <translation>In Absendern, Betreffzeilen und Texten. Wörter in Anführungszeichen stehen hintereinander.</translation>
  </message>
  <message>
   <source>In step, but marks stay here</source>
   <translation>Abgeglichen, aber Markierungen bleiben hier</translation>
  </message>
  <message>
   <source>In step, {when}</source>
   <translation>Abgeglichen, {when}</translation>
  </message>
  <message>
   <source>In the open message it adds {amount}, because all its words share one score.</source>
   <translation>In der offenen Nachricht trägt es {amount} bei, denn alle ihre Wörter teilen sich ein Ergebnis.</translation>
  </message>
  <message>
   <source>In the open message it adds {amount}, because of how often it stands there, and beside what.</source>
   <translation>In der offenen Nachricht trägt es {amount} bei, je nachdem, wie oft es dort steht und neben welchen Wörtern.</translation>
  </message>
  <message>
   <source>In the system's tray</source>
   <translation>Im Infobereich des Systems</translation>
  </message>
  <message>
   <source>In use: {method}</source>
   <translation>In Gebrauch: {method}</translation>
  </message>
  <message>
   <source>In {junk} of your junk and {good} of your good messages; adds {amount} here. Click for more.</source>
   <translation>In {junk} Ihrer Junk- und {good} Ihrer guten Nachrichten; trägt hier {amount} bei. Klick für mehr.</translation>
  </message>
  <message>
   <source>In {junk} of {all_junk} junk and {good} of {all_good} good messages that were learned.</source>
   <translation>In {junk} von {all_junk} Junk- und {good} von {all_good} guten Nachrichten, die gelernt wurden.</translation>
  </message>
  <message>
   <source>Inbox</source>
   <translation>Posteingang</translation>
  </message>
  <message>
   <source>Install that version or a later one. Nothing was changed.</source>
   <translation>Installieren Sie diese Version oder eine spätere. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>It is &amp;right</source>
   <translation>Sie &amp;stimmt</translation>
  </message>
  <message>
   <source>It is asked for once where this system has a keyring, else at each start. No server was called yet.</source>
   <translation>Hat dieses System einen Schlüsselbund, wird einmal danach gefragt, sonst bei jedem Start. Noch wurde kein Server angesprochen.</translation>
  </message>
  <message>
   <source>It is ignored: it adds nothing to any score.</source>
   <translation>Es wird übergangen: Es trägt zu keinem Ergebnis bei.</translation>
  </message>
  <message>
   <source>It is kept in this system's keyring where there is one, and sent to the mail server only.</source>
   <translation>Es liegt im Schlüsselbund dieses Systems, wo es einen gibt, und wird nur an den Mailserver geschickt.</translation>
  </message>
  <message>
   <source>It may have been moved or deleted elsewhere in the meantime.</source>
   <translation>Es wurde vielleicht inzwischen anderswo verschoben oder gelöscht.</translation>
  </message>
  <message>
   <source>It stays where it is; your mark is kept and learned.</source>
   <translation>Sie bleibt, wo sie ist; Ihre Markierung bleibt und ist gelernt.</translation>
  </message>
  <message>
   <source>It takes many marks to be so sure: the more you mark, the more junk has such a chance.</source>
   <translation>So sicher macht erst eine große Zahl von Markierungen: Je mehr Sie markieren, desto mehr Junk wird so wahrscheinlich.</translation>
  </message>
  <message>
   <source>It was imported before, or exported from here. To add it once more would count it twice.</source>
   <translation>Es wurde schon importiert oder von hier exportiert. Noch einmal hinzugefügt, würde es doppelt zählen.</translation>
  </message>
  <message>
   <source>It was imported before, or exported from here; twice it would count double. Nothing was changed.</source>
   <translation>Sie wurde schon importiert oder von hier exportiert; ein zweites Mal zählte alles doppelt. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>It was kept as it is. `nbmail doctor --repair`, typed in a terminal, saves all that can be read.</source>
   <translation>Sie wurde unverändert behalten. `nbmail doctor --repair`, in einem Terminal eingegeben, rettet alles, was lesbar ist.</translation>
  </message>
  <message>
   <source>It was made by another way of learning: only its counts would be taken.</source>
   <translation>Es stammt von einer anderen Art zu lernen: Nur was es gezählt hat, würde übernommen.</translation>
  </message>
  <message>
   <source>It would have judged {right} of your {all} marked messages as you did: {junk_right} of {junk} junk, {good_right} of {good} good.</source>
   <translation>Es hätte {right} Ihrer {all} markierten Nachrichten beurteilt wie Sie: {junk_right} von {junk} Junk, {good_right} von {good} guten.</translation>
  </message>
  <message>
   <source>Its buckets: {list}.</source>
   <translation>Seine Körbe: {list}.</translation>
  </message>
  <message>
   <source>Its name has letters of other scripts, which may look like those of a name you know.</source>
   <translation>Sein Name hat Buchstaben anderer Schriften, die denen eines bekannten Namens gleichen können.</translation>
  </message>
  <message>
   <source>Its weight is {amount}, which speaks for {side}: {ratio} from its counts, {learned} from mistakes.</source>
   <translation>Sein Gewicht ist {amount}, das spricht für {side}: {ratio} aus seinen Zahlen, {learned} aus Fehlern.</translation>
  </message>
  <message>
   <source>J and K move, ! is junk</source>
   <translation>J und K gehen weiter, ! ist Junk</translation>
  </message>
  <message>
   <source>Junk</source>
   <translation>Junk</translation>
  </message>
  <message>
   <source>Junk begins at {amount}, a {percent} chance.</source>
   <translation>Junk beginnt bei {amount}, das heißt: zu {percent}.</translation>
  </message>
  <message>
   <source>Junk called good</source>
   <translation>Junk, der gut genannt wurde</translation>
  </message>
  <message>
   <source>Junk caught and good mail misjudged, by the number of marks</source>
   <translation>Erkannter Junk und verkannte gute Mail nach der Zahl der Markierungen</translation>
  </message>
  <message>
   <source>Junk caught: {before} % with all words, {after} % with these.</source>
   <translation>Erkannter Junk: {before} % mit allen Wörtern, {after} % mit diesen.</translation>
  </message>
  <message>
   <source>Junk folder</source>
   <translation>Junk-Ordner</translation>
  </message>
  <message>
   <source>Junk from {percent}</source>
   <translation>Junk ab {percent}</translation>
  </message>
  <message>
   <source>Junk it would catch: {before} → {after}</source>
   <translation>Erkannter Junk: {before} → {after}</translation>
  </message>
  <message>
   <source>Junk it would catch: {share}</source>
   <translation>Erkannter Junk: {share}</translation>
  </message>
  <message>
   <source>Junk {junk}, good {good} on the way to sure percentages</source>
   <translation>Junk {junk}, gut {good} auf dem Weg zu sicheren Prozenten</translation>
  </message>
  <message>
   <source>Keep</source>
   <translation>Behalten</translation>
  </message>
  <message>
   <source>Keep it in a file</source>
   <translation>In einer Datei behalten</translation>
  </message>
  <message>
   <source>Keep, begin anew</source>
   <translation>Sichern, neu anfangen</translation>
  </message>
  <message>
   <source>Kept as {label} by a repair</source>
   <translation>Von einer Reparatur als {label} behalten</translation>
  </message>
  <message>
   <source>Keys</source>
   <translation>Tasten</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Learn all your marks once more?</source>
   <translation>Alle Ihre Markierungen noch einmal lernen?</translation>
  </message>
  <message>
   <source>Learn anew</source>
   <translation>Neu lernen</translation>
  </message>
  <message>
   <source>Learn as</source>
   <translation>Lernen als</translation>
  </message>
  <message>
   <source>Learn as good mail</source>
   <translation>Als gute Mail lernen</translation>
  </message>
  <message>
   <source>Learn as junk</source>
   <translation>Als Junk lernen</translation>
  </message>
  <message>
   <source>Learn everything anew</source>
   <translation>Alles neu lernen</translation>
  </message>
  <message>
   <source>Learn everything anew?</source>
   <translation>Alles neu lernen?</translation>
  </message>
  <message>
   <source>Learn everything anew…</source>
   <translation>Alles neu lernen …</translation>
  </message>
  <message>
   <source>Learn it as good mail?</source>
   <translation>Als gute Mail lernen?</translation>
  </message>
  <message>
   <source>Learn it as junk?</source>
   <translation>Als Junk lernen?</translation>
  </message>
  <message>
   <source>Learn them as good mail?</source>
   <translation>Als gute Mail lernen?</translation>
  </message>
  <message>
   <source>Learn them as junk?</source>
   <translation>Als Junk lernen?</translation>
  </message>
  <message>
   <source>Learn this folder as good mail</source>
   <translation>Diesen Ordner als gute Mail lernen</translation>
  </message>
  <message>
   <source>Learn this folder as junk</source>
   <translation>Diesen Ordner als Junk lernen</translation>
  </message>
  <message>
   <source>Learned</source>
   <translation>Gelernt</translation>
  </message>
  <message>
   <source>Learned as {label} from a folder</source>
   <translation>Aus einem Ordner als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned as {label} from files that were handed in</source>
   <translation>Aus übergebenen Dateien als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned as {label} from the folder “{folder}”</source>
   <translation>Aus dem Ordner „{folder}“ als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned everything anew.</source>
   <translation>Alles neu gelernt.</translation>
  </message>
  <message>
   <source>Learned from {first} to {last}</source>
   <translation>Gelernt von {first} bis {last}</translation>
  </message>
  <message>
   <source>Learned from {learned} older messages, compared on {compared} newer ones.</source>
   <translation>Gelernt aus {learned} älteren Nachrichten, verglichen an {compared} neueren.</translation>
  </message>
  <message>
   <source>Learned {parts}</source>
   <translation>Gelernt: {parts}</translation>
  </message>
  <message>
   <source>Learned. It takes some junk and some good mail to say how good nbmail is by now.</source>
   <translation>Gelernt. Um zu sagen, wie gut nbmail jetzt ist, braucht es etwas Junk und etwas gute Mail.</translation>
  </message>
  <message>
   <source>Learning anew</source>
   <translation>Alles wird neu gelernt</translation>
  </message>
  <message>
   <source>Learning anew…</source>
   <translation>Lerne neu …</translation>
  </message>
  <message>
   <source>Learning everything by another way. Until that is done all scores stay as they are…</source>
   <translation>Lerne alles nach einem anderen Verfahren. Bis das getan ist, bleiben alle Werte, wie sie sind …</translation>
  </message>
  <message>
   <source>Learning from folders of {account} is paused: {folders}</source>
   <translation>Das Lernen aus Ordnern von {account} ist unterbrochen: {folders}</translation>
  </message>
  <message>
   <source>Learning your marked mail step by step: {done} of {total}</source>
   <translation>Lerne Ihre markierte Mail Schritt für Schritt: {done} von {total}</translation>
  </message>
  <message>
   <source>Learning your marked mail step by step…</source>
   <translation>Lerne Ihre markierte Mail Schritt für Schritt …</translation>
  </message>
  <message>
   <source>Learning {folder}</source>
   <translation>{folder} wird gelernt</translation>
  </message>
  <message>
   <source>Learning {folder} as good mail: {done} of {total}</source>
   <translation>{folder} wird als gute Mail gelernt: {done} von {total}</translation>
  </message>
  <message>
   <source>Learning {folder} as junk: {done} of {total}</source>
   <translation>{folder} wird als Junk gelernt: {done} von {total}</translation>
  </message>
  <message>
   <source>Leave it</source>
   <translation>Lassen</translation>
  </message>
  <message>
   <source>Leave it off</source>
   <translation>Auslassen</translation>
  </message>
  <message>
   <source>Leave the search field</source>
   <translation>Suchfeld verlassen</translation>
  </message>
  <message>
   <source>Leave them</source>
   <translation>Lassen</translation>
  </message>
  <message>
   <source>Let it &amp;count again</source>
   <translation>Wieder &amp;zählen lassen</translation>
  </message>
  <message>
   <source>Let it count again</source>
   <translation>Wieder zählen lassen</translation>
  </message>
  <message>
   <source>Let nbmail ask</source>
   <translation>nbmail fragen lassen</translation>
  </message>
  <message>
   <source>Lies in</source>
   <translation>Liegt in</translation>
  </message>
  <message>
   <source>Lists and folders</source>
   <translation>Listen und Ordner</translation>
  </message>
  <message>
   <source>Load the whole message</source>
   <translation>Ganze Nachricht laden</translation>
  </message>
  <message>
   <source>Logging in as {user}…</source>
   <translation>Melde {user} an …</translation>
  </message>
  <message>
   <source>Look again</source>
   <translation>Noch einmal prüfen</translation>
  </message>
  <message>
   <source>Look around first. Nothing of it is real or kept.</source>
   <translation>Erst umsehen. Nichts davon ist echt oder bleibt.</translation>
  </message>
  <message>
   <source>Look at the place named below and correct it.</source>
   <translation>Sehen Sie sich die unten genannte Stelle an, und berichtigen Sie sie.</translation>
  </message>
  <message>
   <source>Look at what it said below; your mail provider may have to allow it.</source>
   <translation>Lesen Sie unten, was er gesagt hat; vielleicht muss Ihr Anbieter es erlauben.</translation>
  </message>
  <message>
   <source>Looking at what was said before each mark…</source>
   <translation>Sehe nach, was vor jeder Markierung gesagt wurde …</translation>
  </message>
  <message>
   <source>Looking at {folder}…</source>
   <translation>Sieht in {folder} nach …</translation>
  </message>
  <message>
   <source>Looking back mark by mark…</source>
   <translation>Markierung für Markierung geht es zurück …</translation>
  </message>
  <message>
   <source>Looking back…</source>
   <translation>Es geht zurück …</translation>
  </message>
  <message>
   <source>Looking for mail in {path}…</source>
   <translation>Suche Mail in {path} …</translation>
  </message>
  <message>
   <source>Looking for new mail.</source>
   <translation>Es wird nach neuer Mail gesehen.</translation>
  </message>
  <message>
   <source>Looking for your mail server. Neither your name nor your password is sent.</source>
   <translation>Ihr Mailserver wird gesucht. Weder Ihr Name noch Ihr Passwort wird geschickt.</translation>
  </message>
  <message>
   <source>Looking through the words…</source>
   <translation>Sehe die Wörter durch …</translation>
  </message>
  <message>
   <source>M&amp;essage</source>
   <translation>&amp;Nachricht</translation>
  </message>
  <message>
   <source>Mail address</source>
   <translation>Mailadresse</translation>
  </message>
  <message>
   <source>Mail from files</source>
   <translation>Mail aus Dateien</translation>
  </message>
  <message>
   <source>Mail from {sender}</source>
   <translation>Mail von {sender}</translation>
  </message>
  <message>
   <source>Mail is fetched again and gets its marks. Imported models and ignored words are missing.</source>
   <translation>Die Nachrichten werden neu geholt und erhalten ihre Markierungen. Importierte Modelle und ignorierte Wörter fehlen.</translation>
  </message>
  <message>
   <source>Mail of other programs…</source>
   <translation>Mail anderer Programme …</translation>
  </message>
  <message>
   <source>Mail on this computer</source>
   <translation>Mail auf diesem Computer</translation>
  </message>
  <message>
   <source>Make a copy of your data soon: the disk may be failing. Nothing was changed.</source>
   <translation>Sichern Sie Ihre Daten bald: der Datenträger könnte versagen. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>Make an app password…</source>
   <translation>App-Passwort anlegen …</translation>
  </message>
  <message>
   <source>Make the folder writable, or start nbmail with --home and another folder.</source>
   <translation>Machen Sie den Ordner beschreibbar, oder starten Sie nbmail mit --home und einem anderen Ordner.</translation>
  </message>
  <message>
   <source>Mark</source>
   <translation>Markierung</translation>
  </message>
  <message>
   <source>Mark a few messages. nbmail learns from each one at once, and shows which words decide.</source>
   <translation>Markieren Sie ein paar Nachrichten. nbmail lernt aus jeder sofort und zeigt, welche Wörter entscheiden.</translation>
  </message>
  <message>
   <source>Mark as unread what is read, and as read what isn't</source>
   <translation>Gelesenes als ungelesen markieren und Ungelesenes als gelesen</translation>
  </message>
  <message>
   <source>Mark cleared.</source>
   <translation>Markierung gelöscht.</translation>
  </message>
  <message>
   <source>Mark it again</source>
   <translation>Wieder markieren</translation>
  </message>
  <message>
   <source>Mark some good mail too: so far only junk was learned</source>
   <translation>Markieren Sie auch etwas gute Mail: bis jetzt wurde nur Junk gelernt</translation>
  </message>
  <message>
   <source>Mark some junk and some good mail to begin</source>
   <translation>Markieren Sie etwas Junk und etwas gute Mail, um zu beginnen</translation>
  </message>
  <message>
   <source>Mark some junk too: so far only good mail was learned</source>
   <translation>Markieren Sie auch etwas Junk: bis jetzt wurde nur gute Mail gelernt</translation>
  </message>
  <message>
   <source>Mark some more junk and some more good messages, then try again.</source>
   <translation>Markieren Sie noch einige Junk- und einige gute Nachrichten, und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>Marked good it would move %n other.</source>
   <translation>Als gut markiert würde sie %n andere bewegen.</translation>
  </message>
  <message>
   <source>Marked good it would move %n others.</source>
   <translation>Als gut markiert würde sie %n andere bewegen.</translation>
  </message>
  <message>
   <source>Marked junk it would move %n other.</source>
   <translation>Als Junk markiert würde sie %n andere bewegen.</translation>
  </message>
  <message>
   <source>Marked junk it would move %n others.</source>
   <translation>Als Junk markiert würde sie %n andere bewegen.</translation>
  </message>
  <message>
   <source>Marked {label} by an import</source>
   <translation>Durch einen Import als {label} markiert</translation>
  </message>
  <message>
   <source>Marked {label} on the mail server by another program</source>
   <translation>Auf dem Mailserver von einem anderen Programm als {label} markiert</translation>
  </message>
  <message>
   <source>Marked {label}; it isn't known by whom</source>
   <translation>Als {label} markiert; von wem, ist nicht bekannt</translation>
  </message>
  <message>
   <source>Marked {name}.</source>
   <translation>Als {name} markiert.</translation>
  </message>
  <message>
   <source>Marking</source>
   <translation>Markieren</translation>
  </message>
  <message>
   <source>Marks</source>
   <translation>Markierungen</translation>
  </message>
  <message>
   <source>Marks of mail that is not here yet come with it.</source>
   <translation>Markierungen von Nachrichten, die noch nicht hier sind, kommen mit ihnen.</translation>
  </message>
  <message>
   <source>Marks, newest first</source>
   <translation>Markierungen, neueste zuerst</translation>
  </message>
  <message>
   <source>Message beside the list, or below</source>
   <translation>Nachricht neben oder unter der Liste</translation>
  </message>
  <message>
   <source>Messages</source>
   <translation>Nachrichten</translation>
  </message>
  <message>
   <source>Messages with it</source>
   <translation>Nachrichten damit</translation>
  </message>
  <message>
   <source>Misjudged</source>
   <translation>Verkannt</translation>
  </message>
  <message>
   <source>Misplaced</source>
   <translation>Vertauscht</translation>
  </message>
  <message>
   <source>Mist.</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <source>Mistakes</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <source>Models (*.nbmodel *.txt *.csv *.dat *.db)</source>
   <translation>Modelle (*.nbmodel *.txt *.csv *.dat *.db)</translation>
  </message>
  <message>
   <source>Move junk on the mail server when I mark it</source>
   <translation>Junk auf dem Mailserver verschieben, wenn ich ihn markiere</translation>
  </message>
  <message>
   <source>Move mail on the server?</source>
   <translation>Mail auf dem Server verschieben?</translation>
  </message>
  <message>
   <source>Name one in the mailbox's settings. If it isn't on the server yet, nbmail makes it.</source>
   <translation>Nennen Sie einen in den Einstellungen des Postfachs. Gibt es ihn auf dem Server noch nicht, legt nbmail ihn an.</translation>
  </message>
  <message>
   <source>Needs you: no folder “{folder}”</source>
   <translation>Sie sind gefragt: kein Ordner „{folder}“</translation>
  </message>
  <message>
   <source>Needs you: {why}</source>
   <translation>Sie sind gefragt: {why}</translation>
  </message>
  <message>
   <source>Needs your password</source>
   <translation>Braucht Ihr Passwort</translation>
  </message>
  <message>
   <source>New mail is looked for in watched folders. From folders you have sorted already, nbmail learns all messages as junk, or as good mail.</source>
   <translation>In beobachteten Ordnern wird nach neuer Mail gesehen. Aus Ordnern, die Sie schon sortiert haben, lernt nbmail alle Nachrichten als Junk oder als gute Mail.</translation>
  </message>
  <message>
   <source>Next message</source>
   <translation>Nächste Nachricht</translation>
  </message>
  <message>
   <source>No browser could tell where it leads.</source>
   <translation>Kein Browser könnte sagen, wohin er führt.</translation>
  </message>
  <message>
   <source>No few words decide it: a great many say the same.</source>
   <translation>Nicht wenige Wörter entscheiden: sehr viele sagen dasselbe.</translation>
  </message>
  <message>
   <source>No few words decide it: {count} would have to be missing to turn it.</source>
   <translation>Nicht wenige Wörter entscheiden: {count} müssten fehlen, damit es kippt.</translation>
  </message>
  <message>
   <source>No junk here.</source>
   <translation>Kein Junk hier.</translation>
  </message>
  <message>
   <source>No mail was found there.</source>
   <translation>Dort wurde keine Mail gefunden.</translation>
  </message>
  <message>
   <source>No mark is contradicted by the others.</source>
   <translation>Keiner Markierung widersprechen die anderen.</translation>
  </message>
  <message>
   <source>No message here matches “{words}”.</source>
   <translation>Keine Nachricht hier passt zu „{words}“.</translation>
  </message>
  <message>
   <source>No messages here yet.</source>
   <translation>Hier sind noch keine Nachrichten.</translation>
  </message>
  <message>
   <source>No server answered. Type its name above: your mail provider's help pages have it, under “IMAP”.</source>
   <translation>Kein Server hat geantwortet. Geben Sie seinen Namen oben ein: er steht in der Hilfe Ihres Anbieters unter „IMAP“.</translation>
  </message>
  <message>
   <source>No word is ignored. A word that is ignored adds nothing to any score.</source>
   <translation>Kein Wort wird übergangen. Ein übergangenes Wort trägt zu keinem Wert bei.</translation>
  </message>
  <message>
   <source>No word that was learned matches.</source>
   <translation>Kein gelerntes Wort passt.</translation>
  </message>
  <message>
   <source>No words yet: they come with the first marks.</source>
   <translation>Noch keine Wörter: Sie kommen mit den ersten Markierungen.</translation>
  </message>
  <message>
   <source>None of its mail is deleted where it lies, and what was learned from it stays.</source>
   <translation>Von seiner Mail wird dort, wo sie liegt, nichts gelöscht, und was daraus gelernt wurde, bleibt.</translation>
  </message>
  <message>
   <source>None of your marks so far would have moved a message.</source>
   <translation>Keine Ihrer bisherigen Markierungen hätte eine Nachricht verschoben.</translation>
  </message>
  <message>
   <source>None: everyone on the way can read it</source>
   <translation>Keiner: alle unterwegs können mitlesen</translation>
  </message>
  <message>
   <source>Not enough yet: mark some junk and some good mail first.</source>
   <translation>Noch nicht genug: markieren Sie zuerst etwas Junk und etwas gute Mail.</translation>
  </message>
  <message>
   <source>Not enough yet: the line begins once some junk and some good mail is marked.</source>
   <translation>Noch nicht genug: die Linie beginnt, sobald etwas Junk und etwas gute Mail markiert ist.</translation>
  </message>
  <message>
   <source>Not enough yet: too little had been marked by then.</source>
   <translation>Noch nicht genug: bis dahin war zu wenig markiert.</translation>
  </message>
  <message>
   <source>Not found.</source>
   <translation>Nicht gefunden.</translation>
  </message>
  <message>
   <source>Not junk</source>
   <translation>Kein Junk</translation>
  </message>
  <message>
   <source>Not started yet</source>
   <translation>Noch nicht begonnen</translation>
  </message>
  <message>
   <source>Not taken: {list}.</source>
   <translation>Nicht übernommen: {list}.</translation>
  </message>
  <message>
   <source>Nothing has been marked yet. Every mark you give will be listed here.</source>
   <translation>Noch ist nichts markiert. Jede Ihrer Markierungen wird hier stehen.</translation>
  </message>
  <message>
   <source>Nothing here has been learned from yet.</source>
   <translation>Hieraus wurde noch nichts gelernt.</translation>
  </message>
  <message>
   <source>Nothing in this message has been learned yet. Mark some mail, and the words that decide appear here.</source>
   <translation>Von dieser Nachricht wurde noch nichts gelernt. Markieren Sie etwas Mail, dann erscheinen hier die Wörter, die entscheiden.</translation>
  </message>
  <message>
   <source>Nothing is fetched or learned from it. Choose another one in the settings; all others are in step.</source>
   <translation>Aus ihm wird nichts geholt oder gelernt. Wählen Sie in den Einstellungen einen anderen; alle übrigen sind auf dem Stand.</translation>
  </message>
  <message>
   <source>Nothing is lost so far. Free some space, then try again.</source>
   <translation>Bis jetzt ist nichts verloren. Schaffen Sie Platz, und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>Nothing is lost. nbmail connects again by itself in a moment.</source>
   <translation>Nichts ist verloren. nbmail verbindet sich gleich von selbst wieder.</translation>
  </message>
  <message>
   <source>Nothing left to decide</source>
   <translation>Nichts mehr zu entscheiden</translation>
  </message>
  <message>
   <source>Nothing of this is kept or learned.</source>
   <translation>Nichts davon wird aufbewahrt oder gelernt.</translation>
  </message>
  <message>
   <source>Nothing to decide: every message here has its verdict.</source>
   <translation>Nichts zu entscheiden: jede Nachricht hier hat ihr Urteil.</translation>
  </message>
  <message>
   <source>Nothing was imported.</source>
   <translation>Es war nichts importiert.</translation>
  </message>
  <message>
   <source>Nothing was sent to it. Check the server's name; if it is your own server, name its certificate file.</source>
   <translation>Nichts wurde an ihn geschickt. Prüfen Sie den Namen; ist es Ihr eigener Server, nennen Sie seine Zertifikatsdatei.</translation>
  </message>
  <message>
   <source>Now decide what it is unsure about: nbmail asks about those that teach most.</source>
   <translation>Entscheiden Sie jetzt, wo es unsicher ist: nbmail fragt nach denen, die am meisten lehren.</translation>
  </message>
  <message>
   <source>Of its {n} words nbmail uses {ours} too, and has met {known} of these already.</source>
   <translation>Von seinen {n} Wörtern benutzt nbmail {ours} auch selbst; {known} davon kennt es schon.</translation>
  </message>
  <message>
   <source>Of your {all} messages without a mark that is {junk} now.</source>
   <translation>Von Ihren {all} Nachrichten ohne Markierung sind das jetzt {junk}.</translation>
  </message>
  <message>
   <source>Of {count} good ones it would call {lost} junk: {share}.</source>
   <translation>Von {count} guten würde es {lost} Junk nennen: {share}.</translation>
  </message>
  <message>
   <source>Of {count} messages that scored like this, all were junk.</source>
   <translation>Von {count} Nachrichten mit ähnlichem Ergebnis waren alle Junk.</translation>
  </message>
  <message>
   <source>Of {count} messages that scored like this, none was junk.</source>
   <translation>Von {count} Nachrichten mit ähnlichem Ergebnis war keine Junk.</translation>
  </message>
  <message>
   <source>Of {count} messages that scored like this, one was junk.</source>
   <translation>Von {count} Nachrichten mit ähnlichem Ergebnis war eine Junk.</translation>
  </message>
  <message>
   <source>Of {count} messages that scored like this, {junk} were junk.</source>
   <translation>Von {count} Nachrichten mit ähnlichem Ergebnis waren {junk} Junk.</translation>
  </message>
  <message>
   <source>Of {messages} messages, each judged by what nbmail learned from the others, it caught {caught} of the junk and misjudged {lost} of {good} good ones.</source>
   <translation>Von {messages} Nachrichten, jede nach dem beurteilt, was nbmail aus den anderen gelernt hat, hat es {caught} des Junks erkannt und {lost} von {good} guten verkannt.</translation>
  </message>
  <message>
   <source>Off: on the server only marks change, for junk and for what was read. Every move can be undone.</source>
   <translation>Aus: Auf dem Server ändern sich nur Markierungen, für Junk und für Gelesenes. Jedes Verschieben lässt sich rückgängig machen.</translation>
  </message>
  <message>
   <source>Offline, tries again in {span}</source>
   <translation>Offline, wieder in {span}</translation>
  </message>
  <message>
   <source>Offline, trying again</source>
   <translation>Offline, versucht es wieder</translation>
  </message>
  <message>
   <source>On a mail server (IMAP)</source>
   <translation>Auf einem Mailserver (IMAP)</translation>
  </message>
  <message>
   <source>On this computer (Thunderbird, Maildir, mbox, folder of .eml files)</source>
   <translation>Auf diesem Computer (Thunderbird, Maildir, mbox, Ordner mit .eml-Dateien)</translation>
  </message>
  <message>
   <source>One lost good message is as bad as %n junk message in the inbox</source>
   <translation>Eine verlorene gute Nachricht ist so schlimm wie %n Junk-Nachricht im Posteingang</translation>
  </message>
  <message>
   <source>One lost good message is as bad as %n junk messages in the inbox</source>
   <translation>Eine verlorene gute Nachricht ist so schlimm wie %n Junk-Nachrichten im Posteingang</translation>
  </message>
  <message>
   <source>One message after the other, two keys</source>
   <translation>Eine Nachricht nach der anderen, zwei Tasten</translation>
  </message>
  <message>
   <source>One moment…</source>
   <translation>Einen Moment …</translation>
  </message>
  <message>
   <source>Only &amp;ignored ones</source>
   <translation>Nur &amp;übergangene</translation>
  </message>
  <message>
   <source>Only the beginning of this long page is shown.</source>
   <translation>Nur der Anfang dieser langen Seite wird gezeigt.</translation>
  </message>
  <message>
   <source>Only the first part of this large message is here.</source>
   <translation>Von dieser großen Nachricht ist nur der erste Teil hier.</translation>
  </message>
  <message>
   <source>Only the first part of this large message was fetched.</source>
   <translation>Nur der erste Teil dieser großen Nachricht wurde geholt.</translation>
  </message>
  <message>
   <source>Only the first {count} are shown.</source>
   <translation>Nur die ersten {count} werden gezeigt.</translation>
  </message>
  <message>
   <source>Only the latest {n} are shown.</source>
   <translation>Nur die letzten {n} stehen hier.</translation>
  </message>
  <message>
   <source>Only {n} of them are shown.</source>
   <translation>Nur {n} davon werden angezeigt.</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>Open it only if you know who sent it and expected it. Where you aren't sure, ask the sender.</source>
   <translation>Öffnen Sie ihn nur, wenn Sie wissen, von wem er kommt, und ihn erwartet haben. Fragen Sie im Zweifel den Absender.</translation>
  </message>
  <message>
   <source>Open mail here…</source>
   <translation>Mail hier öffnen …</translation>
  </message>
  <message>
   <source>Open or save</source>
   <translation>Öffnen oder speichern</translation>
  </message>
  <message>
   <source>Open or save attachments</source>
   <translation>Anhänge öffnen oder speichern</translation>
  </message>
  <message>
   <source>Open this attachment?</source>
   <translation>Diesen Anhang öffnen?</translation>
  </message>
  <message>
   <source>Open this link?</source>
   <translation>Diesen Link öffnen?</translation>
  </message>
  <message>
   <source>Opening your mail…</source>
   <translation>Ihre Mail wird geöffnet …</translation>
  </message>
  <message>
   <source>Order</source>
   <translation>Reihenfolge</translation>
  </message>
  <message>
   <source>Order changed. Sort again</source>
   <translation>Reihenfolge geändert. Neu sortieren</translation>
  </message>
  <message>
   <source>Pages</source>
   <translation>Seiten</translation>
  </message>
  <message>
   <source>Password</source>
   <translation>Passwort</translation>
  </message>
  <message>
   <source>Password of {account}</source>
   <translation>Passwort von {account}</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Unterbrechen</translation>
  </message>
  <message>
   <source>Pause learning from folders</source>
   <translation>Lernen aus Ordnern unterbrechen</translation>
  </message>
  <message>
   <source>Percentages are rough still: {parts} make them surer</source>
   <translation>Prozente sind noch grob: {parts} machen sie sicherer</translation>
  </message>
  <message>
   <source>Percentages checked on %n message</source>
   <translation>Prozente an %n Nachricht geprüft</translation>
  </message>
  <message>
   <source>Percentages checked on %n messages</source>
   <translation>Prozente an %n Nachrichten geprüft</translation>
  </message>
  <message>
   <source>Port</source>
   <translation>Port</translation>
  </message>
  <message>
   <source>Preferences</source>
   <translation>Einstellungen</translation>
  </message>
  <message>
   <source>Preferences…</source>
   <translation>Einstellungen …</translation>
  </message>
  <message>
   <source>Previous message</source>
   <translation>Vorige Nachricht</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Promised chances of junk, and what came of them</source>
   <translation>Versprochene Junk-Chancen, und was daraus wurde</translation>
  </message>
  <message>
   <source>Promised {promised}: {found} of {count} were junk</source>
   <translation>Versprochen {promised}: {found} von {count} waren Junk</translation>
  </message>
  <message>
   <source>Promised, and what came of it</source>
   <translation>Versprochen, und was daraus wurde</translation>
  </message>
  <message>
   <source>Protection</source>
   <translation>Schutz</translation>
  </message>
  <message>
   <source>Quit</source>
   <translation>Beenden</translation>
  </message>
  <message>
   <source>Read or unread</source>
   <translation>Gelesen oder ungelesen</translation>
  </message>
  <message>
   <source>Reading the journal…</source>
   <translation>Das Journal wird gelesen …</translation>
  </message>
  <message>
   <source>Reading the model</source>
   <translation>Das Modell wird gelesen</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Redo brought that back on {when}.</source>
   <translation>„Wiederholen“ hat das zurückgebracht ({when}).</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove this mailbox?</source>
   <translation>Dieses Postfach entfernen?</translation>
  </message>
  <message>
   <source>Remove this mailbox…</source>
   <translation>Dieses Postfach entfernen …</translation>
  </message>
  <message>
   <source>Remove {account} from nbmail?</source>
   <translation>{account} aus nbmail entfernen?</translation>
  </message>
  <message>
   <source>Replace earlier imports</source>
   <translation>Frühere Importe ersetzen</translation>
  </message>
  <message>
   <source>STARTTLS</source>
   <translation>STARTTLS</translation>
  </message>
  <message>
   <source>Save</source>
   <translation>Speichern</translation>
  </message>
  <message>
   <source>Save all attachments</source>
   <translation>Alle Anhänge speichern</translation>
  </message>
  <message>
   <source>Save all…</source>
   <translation>Alle speichern …</translation>
  </message>
  <message>
   <source>Save as…</source>
   <translation>Speichern unter …</translation>
  </message>
  <message>
   <source>Save attachment</source>
   <translation>Anhang speichern</translation>
  </message>
  <message>
   <source>Save what was learned</source>
   <translation>Speichern, was gelernt wurde</translation>
  </message>
  <message>
   <source>Saved %n file.</source>
   <translation>%n Datei gespeichert.</translation>
  </message>
  <message>
   <source>Saved %n files.</source>
   <translation>%n Dateien gespeichert.</translation>
  </message>
  <message>
   <source>Saved {name}.</source>
   <translation>{name} gespeichert.</translation>
  </message>
  <message>
   <source>Saving the model to a file, then forgetting…</source>
   <translation>Sichere das Modell in einer Datei und vergesse dann …</translation>
  </message>
  <message>
   <source>Says</source>
   <translation>Sagt</translation>
  </message>
  <message>
   <source>Search</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Search mail</source>
   <translation>Mail durchsuchen</translation>
  </message>
  <message>
   <source>Search words</source>
   <translation>Wörter suchen</translation>
  </message>
  <message>
   <source>See the %n misjudged</source>
   <translation>%n verkannte ansehen</translation>
  </message>
  <message>
   <source>See the %n missed</source>
   <translation>%n übersehene ansehen</translation>
  </message>
  <message>
   <source>See the reason below, then try again.</source>
   <translation>Lesen Sie unten den Grund, und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>See them</source>
   <translation>Ansehen</translation>
  </message>
  <message>
   <source>Select all</source>
   <translation>Alle auswählen</translation>
  </message>
  <message>
   <source>Server</source>
   <translation>Server</translation>
  </message>
  <message>
   <source>Servers asked</source>
   <translation>Gefragte Server</translation>
  </message>
  <message>
   <source>Set all marks to what they were before this one ({when}: {subject})?</source>
   <translation>Alle Markierungen so setzen, wie sie vor dieser waren ({when}: {subject})?</translation>
  </message>
  <message>
   <source>Show &amp;more</source>
   <translation>&amp;Mehr zeigen</translation>
  </message>
  <message>
   <source>Show &amp;older marks</source>
   <translation>&amp;Ältere Markierungen zeigen</translation>
  </message>
  <message>
   <source>Show all that decided, or the list</source>
   <translation>Alles zeigen, was entschieden hat, oder die Liste</translation>
  </message>
  <message>
   <source>Show nbmail</source>
   <translation>nbmail zeigen</translation>
  </message>
  <message>
   <source>Sign in again in the account settings.</source>
   <translation>Melden Sie sich in den Kontoeinstellungen erneut an.</translation>
  </message>
  <message>
   <source>Signing in with your mail provider failed.</source>
   <translation>Die Anmeldung bei Ihrem Mailanbieter ist fehlgeschlagen.</translation>
  </message>
  <message>
   <source>Since then changed most: {words}.</source>
   <translation>Seither am meisten verändert: {words}.</translation>
  </message>
  <message>
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <source>Smart lists</source>
   <translation>Schlaue Listen</translation>
  </message>
  <message>
   <source>So far it says nothing.</source>
   <translation>Bisher sagt es nichts.</translation>
  </message>
  <message>
   <source>So far only good mail was learned. Mark some junk too, and the words that decide appear here.</source>
   <translation>Bis jetzt wurde nur gute Mail gelernt. Markieren Sie auch etwas Junk, dann erscheinen hier die Wörter, die entscheiden.</translation>
  </message>
  <message>
   <source>So far only junk was learned. Mark some good mail too, and the words that decide appear here.</source>
   <translation>Bis jetzt wurde nur Junk gelernt. Markieren Sie auch etwas gute Mail, dann erscheinen hier die Wörter, die entscheiden.</translation>
  </message>
  <message>
   <source>Something went wrong inside nbmail.</source>
   <translation>In nbmail ist etwas schiefgegangen.</translation>
  </message>
  <message>
   <source>Sort again</source>
   <translation>Neu sortieren</translation>
  </message>
  <message>
   <source>Sort your mail, and see why</source>
   <translation>Mail sortieren und sehen, warum</translation>
  </message>
  <message>
   <source>Sorts your mail, learns from your marks, and shows the words that decide.</source>
   <translation>Sortiert Ihre Mail, lernt aus Ihren Markierungen und zeigt die Wörter, die entscheiden.</translation>
  </message>
  <message>
   <source>Source: {subject}</source>
   <translation>Quelltext: {subject}</translation>
  </message>
  <message>
   <source>SpamAssassin backups, for sa-learn --restore</source>
   <translation>Sicherungen von SpamAssassin, für sa-learn --restore</translation>
  </message>
  <message>
   <source>SpamBayes tables</source>
   <translation>Tabellen von SpamBayes</translation>
  </message>
  <message>
   <source>Start from nothing</source>
   <translation>Von vorn anfangen</translation>
  </message>
  <message>
   <source>Start from nothing?</source>
   <translation>Von vorn anfangen?</translation>
  </message>
  <message>
   <source>Status</source>
   <translation>Stand</translation>
  </message>
  <message>
   <source>Still looking for the mail server. One moment, or type its name.</source>
   <translation>Der Mailserver wird noch gesucht. Einen Moment, oder geben Sie seinen Namen ein.</translation>
  </message>
  <message>
   <source>Stop learning</source>
   <translation>Lernen beenden</translation>
  </message>
  <message>
   <source>Stop learning from folders</source>
   <translation>Lernen aus Ordnern beenden</translation>
  </message>
  <message>
   <source>Stop looking</source>
   <translation>Nicht weiter suchen</translation>
  </message>
  <message>
   <source>Stop trying</source>
   <translation>Versuch beenden</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <source>Stopped at {done} of {total}.</source>
   <translation>Angehalten bei {done} von {total}.</translation>
  </message>
  <message>
   <source>Stopped before anything was changed.</source>
   <translation>Angehalten, bevor etwas geändert wurde.</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>Angehalten.</translation>
  </message>
  <message>
   <source>Stopped. Type the server's name above, or press “Find settings” to look again.</source>
   <translation>Angehalten. Geben Sie oben den Namen des Servers ein, oder suchen Sie mit „Einstellungen suchen“ weiter.</translation>
  </message>
  <message>
   <source>Stopped: {done} of {total} messages are marked. Undo takes these marks back.</source>
   <translation>Angehalten: {done} von {total} Nachrichten sind markiert. Rückgängig nimmt diese Markierungen zurück.</translation>
  </message>
  <message>
   <source>Stopping…</source>
   <translation>Wird angehalten …</translation>
  </message>
  <message>
   <source>Subject</source>
   <translation>Betreff</translation>
  </message>
  <message>
   <source>TLS (recommended)</source>
   <translation>TLS (empfohlen)</translation>
  </message>
  <message>
   <source>Take back</source>
   <translation>Zurücknehmen</translation>
  </message>
  <message>
   <source>Take out what was imported</source>
   <translation>Importiertes wieder herausnehmen</translation>
  </message>
  <message>
   <source>Take the last mark back</source>
   <translation>Die letzte Markierung zurücknehmen</translation>
  </message>
  <message>
   <source>Take the latest step back</source>
   <translation>Den letzten Schritt zurücknehmen</translation>
  </message>
  <message>
   <source>Take them back</source>
   <translation>Zurückholen</translation>
  </message>
  <message>
   <source>Take this back?</source>
   <translation>Das zurücknehmen?</translation>
  </message>
  <message>
   <source>Taken back.</source>
   <translation>Zurückgenommen.</translation>
  </message>
  <message>
   <source>Taking back</source>
   <translation>Zurücknehmen</translation>
  </message>
  <message>
   <source>Taking back…</source>
   <translation>Wird zurückgenommen …</translation>
  </message>
  <message>
   <source>Taking out what was imported</source>
   <translation>Importiertes wird herausgenommen</translation>
  </message>
  <message>
   <source>Teach that this is good</source>
   <translation>Lehren, dass dies gut ist</translation>
  </message>
  <message>
   <source>Teach that this is junk</source>
   <translation>Lehren, dass dies Junk ist</translation>
  </message>
  <message>
   <source>Text of the message</source>
   <translation>Text der Nachricht</translation>
  </message>
  <message>
   <source>Texts searched: {share} %</source>
   <translation>Durchsuchte Texte: {share} %</translation>
  </message>
  <message>
   <source>That is no longer there.</source>
   <translation>Das ist nicht mehr da.</translation>
  </message>
  <message>
   <source>That is not a whole mail address yet, such as you@example.org.</source>
   <translation>Das ist noch keine ganze Mailadresse, etwa sie@example.org.</translation>
  </message>
  <message>
   <source>That mark alone would change no other verdict.</source>
   <translation>Diese Markierung allein würde kein anderes Urteil ändern.</translation>
  </message>
  <message>
   <source>That mark is there already.</source>
   <translation>Diese Markierung ist schon da.</translation>
  </message>
  <message>
   <source>That message isn't in the list shown in the main window.</source>
   <translation>Diese Nachricht steht nicht in der Liste, die das Hauptfenster zeigt.</translation>
  </message>
  <message>
   <source>That server belongs to {owner}.</source>
   <translation>Dieser Server gehört zu {owner}.</translation>
  </message>
  <message>
   <source>That was the last one</source>
   <translation>Das war die letzte</translation>
  </message>
  <message>
   <source>The best there, {name}, was then judged once on the newest: it caught {caught} and misjudged {lost}.</source>
   <translation>Das beste dabei, {name}, wurde dann einmal an den neuesten beurteilt: Es erkannte {caught} und verkannte {lost}.</translation>
  </message>
  <message>
   <source>The chance that their mail is junk fell from {first} to {last} since {when}.</source>
   <translation>Die Wahrscheinlichkeit, dass Mail dieses Absenders Junk ist, fiel seit {when} von {first} auf {last}.</translation>
  </message>
  <message>
   <source>The chance that their mail is junk is {last}, about what it was at first ({when}).</source>
   <translation>Die Wahrscheinlichkeit, dass Mail dieses Absenders Junk ist, liegt bei {last}, etwa wie am Anfang ({when}).</translation>
  </message>
  <message>
   <source>The chance that their mail is junk rose from {first} to {last} since {when}.</source>
   <translation>Die Wahrscheinlichkeit, dass Mail dieses Absenders Junk ist, stieg seit {when} von {first} auf {last}.</translation>
  </message>
  <message>
   <source>The connection is not protected, as you chose.</source>
   <translation>Die Verbindung ist nicht geschützt, wie Sie es gewählt haben.</translation>
  </message>
  <message>
   <source>The connection is protected, and the server has proved who it is.</source>
   <translation>Die Verbindung ist geschützt, und der Server hat sich ausgewiesen.</translation>
  </message>
  <message>
   <source>The demo needs a part that is not installed: pip install 'nbmail[demo]'</source>
   <translation>Der Demo fehlt ein Teil: pip install 'nbmail[demo]'</translation>
  </message>
  <message>
   <source>The demo opens in a window of its own.</source>
   <translation>Die Demo öffnet sich in einem eigenen Fenster.</translation>
  </message>
  <message>
   <source>The disk can't be read or written.</source>
   <translation>Der Datenträger lässt sich nicht lesen oder beschreiben.</translation>
  </message>
  <message>
   <source>The disk is full, so nothing can be saved.</source>
   <translation>Der Datenträger ist voll, es kann nichts gespeichert werden.</translation>
  </message>
  <message>
   <source>The file was made by another way of learning: only its counts were taken.</source>
   <translation>Die Datei entstand mit einem anderen Lernverfahren: Nur ihre Zählungen wurden übernommen.</translation>
  </message>
  <message>
   <source>The file with your marks is damaged.</source>
   <translation>Die Datei mit Ihren Markierungen ist beschädigt.</translation>
  </message>
  <message>
   <source>The file with your marks was damaged. A new one has %n marks from the second copy.</source>
   <translation>Die Datei mit Ihren Markierungen war beschädigt. Eine neue hat %n Markierungen aus der zweiten Kopie.</translation>
  </message>
  <message>
   <source>The file with your marks was damaged. A new one has 1 mark from the second copy.</source>
   <translation>Die Datei mit Ihren Markierungen war beschädigt. Eine neue hat 1 Markierung aus der zweiten Kopie.</translation>
  </message>
  <message>
   <source>The file with your marks was deleted while nbmail was running.</source>
   <translation>Die Datei mit Ihren Markierungen wurde gelöscht, während nbmail lief.</translation>
  </message>
  <message>
   <source>The first %n are here.</source>
   <translation>Hier stehen die ersten %n.</translation>
  </message>
  <message>
   <source>The first %n is here.</source>
   <translation>Hier steht die erste %n.</translation>
  </message>
  <message>
   <source>The latest step was {step}. Take it back?</source>
   <translation>Der letzte Schritt war: {step}. Zurücknehmen?</translation>
  </message>
  <message>
   <source>The latest {count} changes are listed.</source>
   <translation>Die letzten {count} Änderungen stehen hier.</translation>
  </message>
  <message>
   <source>The mail server can't be reached.</source>
   <translation>Der Mailserver ist nicht zu erreichen.</translation>
  </message>
  <message>
   <source>The mail server can't prove that it is the one you asked for.</source>
   <translation>Der Mailserver kann nicht belegen, dass er der ist, nach dem Sie gefragt haben.</translation>
  </message>
  <message>
   <source>The mail server closed the connection.</source>
   <translation>Der Mailserver hat die Verbindung beendet.</translation>
  </message>
  <message>
   <source>The mail server doesn't accept this user name and password.</source>
   <translation>Der Mailserver nimmt Benutzername und Passwort nicht an.</translation>
  </message>
  <message>
   <source>The mail server doesn't offer a protected connection.</source>
   <translation>Der Mailserver bietet keine geschützte Verbindung an.</translation>
  </message>
  <message>
   <source>The mail server keeps no marks.</source>
   <translation>Der Mailserver bewahrt keine Markierungen auf.</translation>
  </message>
  <message>
   <source>The mail server refused to do that.</source>
   <translation>Der Mailserver hat das abgelehnt.</translation>
  </message>
  <message>
   <source>The mail server said something that makes no sense.</source>
   <translation>Der Mailserver hat etwas gesagt, das keinen Sinn ergibt.</translation>
  </message>
  <message>
   <source>The model calls it good mail.</source>
   <translation>Das Modell hält sie für gute Mail.</translation>
  </message>
  <message>
   <source>The model calls it junk.</source>
   <translation>Das Modell hält sie für Junk.</translation>
  </message>
  <message>
   <source>The model calls {n} of them good mail.</source>
   <translation>Das Modell hält {n} davon für gute Mail.</translation>
  </message>
  <message>
   <source>The model calls {n} of them junk.</source>
   <translation>Das Modell hält {n} davon für Junk.</translation>
  </message>
  <message>
   <source>The model of before is in {file}.</source>
   <translation>Das Modell von vorher liegt in {file}.</translation>
  </message>
  <message>
   <source>The model of before is kept as {name}.</source>
   <translation>Das Modell von vorher liegt in {name}.</translation>
  </message>
  <message>
   <source>The old one is kept as a backup.</source>
   <translation>Die alte ist als Sicherung aufgehoben.</translation>
  </message>
  <message>
   <source>The one message that scored like this was good.</source>
   <translation>Die eine Nachricht mit ähnlichem Ergebnis war gut.</translation>
  </message>
  <message>
   <source>The one message that scored like this was junk.</source>
   <translation>Die eine Nachricht mit ähnlichem Ergebnis war Junk.</translation>
  </message>
  <message>
   <source>The open message would go from {before} to {after} ({verdict}).</source>
   <translation>Die offene Nachricht ginge von {before} auf {after} ({verdict}).</translation>
  </message>
  <message>
   <source>The other {n} are {owner}'s alone: kept, and given back when you export for {owner}.</source>
   <translation>Die anderen {n} hat nur {owner}: Sie werden aufgehoben und beim Export für {owner} zurückgegeben.</translation>
  </message>
  <message>
   <source>The others say</source>
   <translation>Die anderen sagen</translation>
  </message>
  <message>
   <source>The port is a number from 1 to 65535: usually 993.</source>
   <translation>Der Port ist eine Zahl von 1 bis 65535, meist 993.</translation>
  </message>
  <message>
   <source>The reason stands below. Nothing was changed.</source>
   <translation>Der Grund steht darunter. Es wurde nichts geändert.</translation>
  </message>
  <message>
   <source>The server of {account} doesn't let nbmail move that message.</source>
   <translation>Der Server von {account} lässt nbmail diese Nachricht nicht verschieben.</translation>
  </message>
  <message>
   <source>The sign-in doesn't include access to mail over IMAP.</source>
   <translation>Die Anmeldung umfasst keinen Zugriff auf Mail über IMAP.</translation>
  </message>
  <message>
   <source>The text isn't kept any more and {account} can't be reached now. It is fetched when it can.</source>
   <translation>Der Text ist nicht mehr da, und {account} ist gerade nicht zu erreichen. Er wird geholt, sobald es geht.</translation>
  </message>
  <message>
   <source>The text of this message isn't kept any more, and its mailbox doesn't have it either.</source>
   <translation>Der Text dieser Nachricht ist nicht mehr da, und ihr Postfach hat ihn auch nicht.</translation>
  </message>
  <message>
   <source>There are not enough marked messages for that yet.</source>
   <translation>Dafür gibt es noch nicht genug markierte Nachrichten.</translation>
  </message>
  <message>
   <source>There is junk to move in {account}, but no folder for junk was found.</source>
   <translation>In {account} ist Junk zu verschieben, aber es fand sich kein Ordner für Junk.</translation>
  </message>
  <message>
   <source>There is no mail in what was named.</source>
   <translation>In dem, was genannt wurde, ist keine Mail.</translation>
  </message>
  <message>
   <source>There is nothing to redo.</source>
   <translation>Es gibt nichts zu wiederholen.</translation>
  </message>
  <message>
   <source>There is nothing to undo.</source>
   <translation>Es gibt nichts rückgängig zu machen.</translation>
  </message>
  <message>
   <source>This can be stopped. The model is first saved to a file, and your marks stay as they are.</source>
   <translation>Es lässt sich anhalten. Das Modell wird zuerst in eine Datei gesichert, und Ihre Markierungen bleiben, wie sie sind.</translation>
  </message>
  <message>
   <source>This is no model file that nbmail can use.</source>
   <translation>Das ist keine Modelldatei, die nbmail verwenden kann.</translation>
  </message>
  <message>
   <source>This link is broken.</source>
   <translation>Dieser Link ist kaputt.</translation>
  </message>
  <message>
   <source>This link leads to {server}. Open it in your browser?</source>
   <translation>Dieser Link führt zu {server}. Im Browser öffnen?</translation>
  </message>
  <message>
   <source>This link writes to {server}. Open it in your mail program?</source>
   <translation>Dieser Link schreibt an {server}. Im Mailprogramm öffnen?</translation>
  </message>
  <message>
   <source>This mail was last opened by a newer nbmail.</source>
   <translation>Diese Mail wurde zuletzt von einem neueren nbmail geöffnet.</translation>
  </message>
  <message>
   <source>This mailbox is there already. Its settings can be changed from the list at the left.</source>
   <translation>Dieses Postfach gibt es schon. Seine Einstellungen lassen sich in der Liste links ändern.</translation>
  </message>
  <message>
   <source>This message can't be read.</source>
   <translation>Diese Nachricht kann nicht gelesen werden.</translation>
  </message>
  <message>
   <source>This message can't be shown.</source>
   <translation>Diese Nachricht lässt sich nicht anzeigen.</translation>
  </message>
  <message>
   <source>This message has no text.</source>
   <translation>Diese Nachricht hat keinen Text.</translation>
  </message>
  <message>
   <source>This message isn't kept any more.</source>
   <translation>Diese Nachricht ist nicht mehr da.</translation>
  </message>
  <message>
   <source>This message names its sender more than once. Other programs may show a different one.</source>
   <translation>Diese Nachricht nennt ihren Absender mehr als einmal. Andere Programme zeigen vielleicht einen anderen.</translation>
  </message>
  <message>
   <source>This sender</source>
   <translation>Dieser Absender</translation>
  </message>
  <message>
   <source>This system has no place to keep passwords safely.</source>
   <translation>Dieses System hat keinen sicheren Ort für Passwörter.</translation>
  </message>
  <message>
   <source>This word has not been learned yet.</source>
   <translation>Dieses Wort wurde noch nicht gelernt.</translation>
  </message>
  <message>
   <source>Thunderbird training.dat</source>
   <translation>training.dat von Thunderbird</translation>
  </message>
  <message>
   <source>Thunderbird traits.dat</source>
   <translation>traits.dat von Thunderbird</translation>
  </message>
  <message>
   <source>Thunderbird, Maildir, mbox, or a folder of files.</source>
   <translation>Thunderbird, Maildir, mbox oder ein Ordner mit Dateien.</translation>
  </message>
  <message>
   <source>To</source>
   <translation>An</translation>
  </message>
  <message>
   <source>Together {amount}, which is a {percent} chance of junk.</source>
   <translation>Zusammen {amount}, das heißt: zu {percent} Junk.</translation>
  </message>
  <message>
   <source>Together {amount}: {lean}. Too few of your marks are checked yet to make that a percentage.</source>
   <translation>Zusammen {amount}: {lean}. Noch sind zu wenige Ihrer Markierungen geprüft, um daraus Prozente zu machen.</translation>
  </message>
  <message>
   <source>Took back: {step}.</source>
   <translation>Zurückgenommen: {step}.</translation>
  </message>
  <message>
   <source>Try again</source>
   <translation>Noch einmal versuchen</translation>
  </message>
  <message>
   <source>Try now</source>
   <translation>Jetzt versuchen</translation>
  </message>
  <message>
   <source>Try the demo</source>
   <translation>Demo ansehen</translation>
  </message>
  <message>
   <source>Turn moving on</source>
   <translation>Verschieben einschalten</translation>
  </message>
  <message>
   <source>Turn on IMAP in the settings of your mail provider, then sign in again.</source>
   <translation>Schalten Sie IMAP in den Einstellungen Ihres Mailanbieters ein, und melden Sie sich dann erneut an.</translation>
  </message>
  <message>
   <source>Type it above.</source>
   <translation>Geben Sie es oben ein.</translation>
  </message>
  <message>
   <source>Type password…</source>
   <translation>Passwort eingeben …</translation>
  </message>
  <message>
   <source>Type the name of the mail server, for example imap.example.org.</source>
   <translation>Geben Sie den Namen des Mailservers ein, zum Beispiel imap.example.org.</translation>
  </message>
  <message>
   <source>Type the password again. Many providers want an app password instead of the usual one.</source>
   <translation>Geben Sie das Passwort noch einmal ein. Viele Anbieter wollen statt des üblichen ein App-Passwort.</translation>
  </message>
  <message>
   <source>Type the password too: the one for the old server is never sent to another.</source>
   <translation>Geben Sie auch das Passwort ein: das für den alten Server wird nie an einen anderen geschickt.</translation>
  </message>
  <message>
   <source>Type the password, or the app password your provider gave you.</source>
   <translation>Geben Sie das Passwort ein, oder das App-Passwort Ihres Anbieters.</translation>
  </message>
  <message>
   <source>Type the user name: often that is the whole mail address.</source>
   <translation>Geben Sie den Benutzernamen ein: oft ist das die ganze Mailadresse.</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Undo brought that back on {when}.</source>
   <translation>„Rückgängig“ hat das zurückgebracht ({when}).</translation>
  </message>
  <message>
   <source>Unread</source>
   <translation>Ungelesen</translation>
  </message>
  <message>
   <source>Unsure</source>
   <translation>Unsicher</translation>
  </message>
  <message>
   <source>Unsure ones, newest first</source>
   <translation>Unsichere, neueste zuerst</translation>
  </message>
  <message>
   <source>Unsure; it {lean}</source>
   <translation>Unsicher; {lean}</translation>
  </message>
  <message>
   <source>Use an app password if your provider offers one.</source>
   <translation>Verwenden Sie ein App-Passwort, wenn Ihr Anbieter eines anbietet.</translation>
  </message>
  <message>
   <source>Use the window that is open. Two at once would get in each other's way.</source>
   <translation>Nehmen Sie das Fenster, das offen ist. Zwei zugleich kämen sich in die Quere.</translation>
  </message>
  <message>
   <source>User name</source>
   <translation>Benutzername</translation>
  </message>
  <message>
   <source>User name and password are right.</source>
   <translation>Benutzername und Passwort stimmen.</translation>
  </message>
  <message>
   <source>Verdict</source>
   <translation>Urteil</translation>
  </message>
  <message>
   <source>Watch</source>
   <translation>Beobachten</translation>
  </message>
  <message>
   <source>Watch {folder}</source>
   <translation>{folder} beobachten</translation>
  </message>
  <message>
   <source>Way of learning</source>
   <translation>Lernverfahren</translation>
  </message>
  <message>
   <source>Ways of learning</source>
   <translation>Lernverfahren</translation>
  </message>
  <message>
   <source>What a lost good message costs</source>
   <translation>Was eine verlorene gute Nachricht kostet</translation>
  </message>
  <message>
   <source>What becomes of it</source>
   <translation>Was daraus wird</translation>
  </message>
  <message>
   <source>What did it say then?</source>
   <translation>Was sagte es damals?</translation>
  </message>
  <message>
   <source>What if it didn't count?</source>
   <translation>Wenn es nicht zählte?</translation>
  </message>
  <message>
   <source>What is junk with a chance of more than {line} is called junk.</source>
   <translation>Was mit mehr als {line} Wahrscheinlichkeit Junk ist, wird Junk genannt.</translation>
  </message>
  <message>
   <source>What is missing</source>
   <translation>Was noch fehlt</translation>
  </message>
  <message>
   <source>What it adds to this message's score, in log-odds: +0.7 doubles the odds of junk, −0.7 halves them</source>
   <translation>Was es zum Wert dieser Nachricht beiträgt, in Log-Odds: +0,7 verdoppelt die Chancen für Junk, −0,7 halbiert sie</translation>
  </message>
  <message>
   <source>What nbmail has learned</source>
   <translation>Was nbmail gelernt hat</translation>
  </message>
  <message>
   <source>What nbmail has learned…</source>
   <translation>Was nbmail gelernt hat …</translation>
  </message>
  <message>
   <source>What past mistakes added to that</source>
   <translation>Was frühere Fehler dazugaben</translation>
  </message>
  <message>
   <source>What stands in this file is known already.</source>
   <translation>Was in dieser Datei steht, ist schon bekannt.</translation>
  </message>
  <message>
   <source>What teaches most</source>
   <translation>Was am meisten lehrt</translation>
  </message>
  <message>
   <source>What that costs can't be told: too few of your latest marks are junk, or good.</source>
   <translation>Was das kostet, lässt sich nicht sagen: Zu wenige Ihrer letzten Markierungen sind Junk oder gut.</translation>
  </message>
  <message>
   <source>What the mark moved</source>
   <translation>Was die Markierung bewegt hat</translation>
  </message>
  <message>
   <source>What the mark would move</source>
   <translation>Was die Markierung bewegen würde</translation>
  </message>
  <message>
   <source>What these numbers alone would add</source>
   <translation>Was diese Zahlen allein beitrügen</translation>
  </message>
  <message>
   <source>What was found, and where in the message</source>
   <translation>Was gefunden wurde, und wo in der Nachricht</translation>
  </message>
  <message>
   <source>What was imported is taken out. Your own marks stay.</source>
   <translation>Das Importierte ist herausgenommen. Ihre eigenen Markierungen bleiben.</translation>
  </message>
  <message>
   <source>What was learned from messages that had been misjudged: which words mislead, and which say more.</source>
   <translation>Was aus falsch beurteilten Nachrichten gelernt wurde: welche Wörter täuschen und welche mehr sagen.</translation>
  </message>
  <message>
   <source>What was tried</source>
   <translation>Was versucht wurde</translation>
  </message>
  <message>
   <source>What would be moved</source>
   <translation>Was verschoben würde</translation>
  </message>
  <message>
   <source>What would change without “{word}”</source>
   <translation>Was sich ohne „{word}“ ändern würde</translation>
  </message>
  <message>
   <source>What would it have &amp;said on</source>
   <translation>Was hätte es &amp;gesagt am</translation>
  </message>
  <message>
   <source>What would it have said at this date</source>
   <translation>Was es an diesem Tag gesagt hätte</translation>
  </message>
  <message>
   <source>What {folder} teaches</source>
   <translation>Was {folder} lehrt</translation>
  </message>
  <message>
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <source>When it came its chance of junk was {before}, now it is {after}.</source>
   <translation>Als sie kam, war ihre Wahrscheinlichkeit für Junk {before}, jetzt ist sie {after}.</translation>
  </message>
  <message>
   <source>When it came too little had been learned for a percentage.</source>
   <translation>Als sie kam, war für eine Prozentzahl noch zu wenig gelernt.</translation>
  </message>
  <message>
   <source>When it came?</source>
   <translation>Bei der Ankunft?</translation>
  </message>
  <message>
   <source>When the open message came it had been in {junk} junk and {good} good ones.</source>
   <translation>Als die offene Nachricht kam, war es in {junk} Junk- und {good} guten.</translation>
  </message>
  <message>
   <source>When the open message came it said nothing; now it adds {now} to it.</source>
   <translation>Als die offene Nachricht kam, sagte es nichts; jetzt trägt es {now} zu ihr bei.</translation>
  </message>
  <message>
   <source>When the open message came its weight was {weight} and it added {then}; now it adds {now}.</source>
   <translation>Als die offene Nachricht kam, war sein Gewicht {weight} und es trug {then} bei; jetzt trägt es {now} bei.</translation>
  </message>
  <message>
   <source>Where the mail is</source>
   <translation>Wo die Mail liegt</translation>
  </message>
  <message>
   <source>Which message comes next</source>
   <translation>Welche Nachricht als nächste kommt</translation>
  </message>
  <message>
   <source>Why?</source>
   <translation>Warum?</translation>
  </message>
  <message>
   <source>With moving on, your marks so far would have moved these {n} messages:</source>
   <translation>Ihre bisherigen Markierungen hätten diese {n} Nachrichten verschoben:</translation>
  </message>
  <message>
   <source>With moving on, your marks so far would have moved this message:</source>
   <translation>Ihre bisherigen Markierungen hätten diese Nachricht verschoben:</translation>
  </message>
  <message>
   <source>Without it %n verdict would change.</source>
   <translation>Ohne es würde sich %n Urteil ändern.</translation>
  </message>
  <message>
   <source>Without it %n verdicts would change.</source>
   <translation>Ohne es würden sich %n Urteile ändern.</translation>
  </message>
  <message>
   <source>Without it no verdict would change.</source>
   <translation>Ohne es würde sich kein Urteil ändern.</translation>
  </message>
  <message>
   <source>Without {words} it would be good.</source>
   <translation>Ohne {words} wäre sie gut.</translation>
  </message>
  <message>
   <source>Without {words} it would be junk.</source>
   <translation>Ohne {words} wäre sie Junk.</translation>
  </message>
  <message>
   <source>Without {words} it would not be good.</source>
   <translation>Ohne {words} wäre sie nicht gut.</translation>
  </message>
  <message>
   <source>Without {words} it would not be junk.</source>
   <translation>Ohne {words} wäre sie kein Junk.</translation>
  </message>
  <message>
   <source>Word</source>
   <translation>Wort</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>Words of the model</source>
   <translation>Wörter des Modells</translation>
  </message>
  <message>
   <source>Words that decided</source>
   <translation>Wörter, die entschieden haben</translation>
  </message>
  <message>
   <source>Yesterday {time}</source>
   <translation>Gestern {time}</translation>
  </message>
  <message>
   <source>You decided %n message: {junk} junk, {good} good.</source>
   <translation>Sie haben %n Nachricht entschieden: {junk} Junk, {good} gut.</translation>
  </message>
  <message>
   <source>You decided %n messages: {junk} junk, {good} good.</source>
   <translation>Sie haben %n Nachrichten entschieden: {junk} Junk, {good} gut.</translation>
  </message>
  <message>
   <source>You have not marked any messages yet, so nothing can tell how well it fits your mail.</source>
   <translation>Sie haben noch keine Nachricht markiert; wie gut es zu Ihrer Post passt, lässt sich daher nicht sagen.</translation>
  </message>
  <message>
   <source>You marked it {label}</source>
   <translation>Von Ihnen als {label} markiert</translation>
  </message>
  <message>
   <source>You said: {label}</source>
   <translation>Ihr Urteil: {label}</translation>
  </message>
  <message>
   <source>Your mail and your marks are safe. Please try again; if it stays, restart nbmail and report it.</source>
   <translation>Ihre Mail und Ihre Markierungen sind sicher. Bitte versuchen Sie es noch einmal; bleibt es dabei, starten Sie nbmail neu und melden Sie es.</translation>
  </message>
  <message>
   <source>Your mail provider requires a new sign-in.</source>
   <translation>Ihr Mailanbieter verlangt eine neue Anmeldung.</translation>
  </message>
  <message>
   <source>Your mailbox</source>
   <translation>Ihr Postfach</translation>
  </message>
  <message>
   <source>Your mailbox on the server is full.</source>
   <translation>Ihr Postfach auf dem Server ist voll.</translation>
  </message>
  <message>
   <source>Your marks are kept and learned here. Other computers and mail programs don't hear of them.</source>
   <translation>Was Sie markieren, wird hier behalten und gelernt. Andere Computer und Mailprogramme erfahren nichts davon.</translation>
  </message>
  <message>
   <source>Your marks stay as they are, and Undo takes an import back. If you replace earlier imports, a copy of the model as it is now is kept beside your data.</source>
   <translation>Ihre Markierungen bleiben, wie sie sind, und Rückgängig nimmt einen Import zurück. Ersetzen Sie frühere Importe, wird das jetzige Modell neben Ihren Daten aufgehoben.</translation>
  </message>
  <message>
   <source>Your password was not sent. Try TLS on port 993, or ask your mail provider.</source>
   <translation>Ihr Passwort wurde nicht geschickt. Versuchen Sie TLS auf Port 993, oder fragen Sie Ihren Anbieter.</translation>
  </message>
  <message>
   <source>a change of what is ignored</source>
   <translation>eine Änderung an übergangenen Wörtern</translation>
  </message>
  <message>
   <source>a date that can't be read</source>
   <translation>ein unlesbares Datum</translation>
  </message>
  <message>
   <source>a folder</source>
   <translation>ein Ordner</translation>
  </message>
  <message>
   <source>a message in several parts</source>
   <translation>eine Nachricht in mehreren Teilen</translation>
  </message>
  <message>
   <source>a message that is in no folder any more</source>
   <translation>eine Nachricht, die in keinem Ordner mehr liegt</translation>
  </message>
  <message>
   <source>a number in place of a server's name</source>
   <translation>eine Zahl statt eines Servernamens</translation>
  </message>
  <message>
   <source>a repair</source>
   <translation>eine Reparatur</translation>
  </message>
  <message>
   <source>a server noted “{value}”</source>
   <translation>ein Server vermerkte „{value}“</translation>
  </message>
  <message>
   <source>a server whose name ends in {value}</source>
   <translation>ein Server, dessen Name auf {value} endet</translation>
  </message>
  <message>
   <source>a web page</source>
   <translation>eine Webseite</translation>
  </message>
  <message>
   <source>a web page only</source>
   <translation>nur eine Webseite</translation>
  </message>
  <message>
   <source>a web page with its pictures</source>
   <translation>eine Webseite mit ihren Bildern</translation>
  </message>
  <message>
   <source>a {value} in its number</source>
   <translation>eine {value} in seiner Nummer</translation>
  </message>
  <message>
   <source>about {n} large</source>
   <translation>etwa {n} groß</translation>
  </message>
  <message>
   <source>adds {amount}</source>
   <translation>trägt {amount} bei</translation>
  </message>
  <message>
   <source>after two seconds</source>
   <translation>nach zwei Sekunden</translation>
  </message>
  <message>
   <source>all keys</source>
   <translation>alle Tasten</translation>
  </message>
  <message>
   <source>all mail</source>
   <translation>alle Mail</translation>
  </message>
  <message>
   <source>an address with a user name in it</source>
   <translation>eine Adresse mit einem Benutzernamen darin</translation>
  </message>
  <message>
   <source>an icon</source>
   <translation>ein Symbol</translation>
  </message>
  <message>
   <source>an icon, and a word on new good mail</source>
   <translation>ein Symbol und ein Hinweis auf neue gute Mail</translation>
  </message>
  <message>
   <source>an import</source>
   <translation>ein Import</translation>
  </message>
  <message>
   <source>and %n more</source>
   <translation>und %n weitere</translation>
  </message>
  <message>
   <source>and others</source>
   <translation>und andere</translation>
  </message>
  <message>
   <source>another program on the mail server</source>
   <translation>anderes Programm auf dem Mailserver</translation>
  </message>
  <message>
   <source>answer address</source>
   <translation>Antwortadresse</translation>
  </message>
  <message>
   <source>answers go elsewhere than to the sender</source>
   <translation>Antworten gehen nicht an den Absender</translation>
  </message>
  <message>
   <source>answers go to the sender</source>
   <translation>Antworten gehen an den Absender</translation>
  </message>
  <message>
   <source>answers, but can't prove who it is.</source>
   <translation>antwortet, kann aber nicht belegen, wer er ist.</translation>
  </message>
  <message>
   <source>answers, but offers no protected line.</source>
   <translation>antwortet, bietet aber keine geschützte Leitung an.</translation>
  </message>
  <message>
   <source>archive</source>
   <translation>Archiv</translation>
  </message>
  <message>
   <source>as in Thunderbird</source>
   <translation>wie in Thunderbird</translation>
  </message>
  <message>
   <source>as the system has it</source>
   <translation>wie im System</translation>
  </message>
  <message>
   <source>at once</source>
   <translation>sofort</translation>
  </message>
  <message>
   <source>at {time}</source>
   <translation>um {time}</translation>
  </message>
  <message>
   <source>attachment</source>
   <translation>Anhang</translation>
  </message>
  <message>
   <source>back</source>
   <translation>zurück</translation>
  </message>
  <message>
   <source>balanced evidence (recommended)</source>
   <translation>ausgewogene Belege (empfohlen)</translation>
  </message>
  <message>
   <source>because one lost message is as bad as %n junk message to you.</source>
   <translation>denn eine verlorene Nachricht ist für Sie so schlimm wie %n Junk-Nachricht.</translation>
  </message>
  <message>
   <source>because one lost message is as bad as %n junk messages to you.</source>
   <translation>denn eine verlorene Nachricht ist für Sie so schlimm wie %n Junk-Nachrichten.</translation>
  </message>
  <message>
   <source>before reading</source>
   <translation>vor dem Lesen</translation>
  </message>
  <message>
   <source>beginning of the text</source>
   <translation>Anfang des Textes</translation>
  </message>
  <message>
   <source>begins with “{value}”</source>
   <translation>beginnt mit „{value}“</translation>
  </message>
  <message>
   <source>bogofilter word lists, for bogoutil -l</source>
   <translation>Wortlisten von bogofilter, für bogoutil -l</translation>
  </message>
  <message>
   <source>both together</source>
   <translation>beide zusammen</translation>
  </message>
  <message>
   <source>by name</source>
   <translation>nach dem Namen</translation>
  </message>
  <message>
   <source>called good</source>
   <translation>gut genannt</translation>
  </message>
  <message>
   <source>called junk</source>
   <translation>Junk genannt</translation>
  </message>
  <message>
   <source>came by</source>
   <translation>kam über</translation>
  </message>
  <message>
   <source>came over 1 server</source>
   <translation>kam über 1 Server</translation>
  </message>
  <message>
   <source>came over no server</source>
   <translation>kam über keinen Server</translation>
  </message>
  <message>
   <source>came over {n} servers</source>
   <translation>kam über {n} Server</translation>
  </message>
  <message>
   <source>chance of junk {chance}</source>
   <translation>Junk-Chance {chance}</translation>
  </message>
  <message>
   <source>clearing %n mark</source>
   <translation>%n Markierung löschen</translation>
  </message>
  <message>
   <source>clearing %n marks</source>
   <translation>%n Markierungen löschen</translation>
  </message>
  <message>
   <source>clearly {name}</source>
   <translation>deutlich {name}</translation>
  </message>
  <message>
   <source>d MMM yyyy  HH:mm</source>
   <translation>d. MMM yyyy  HH:mm</translation>
  </message>
  <message>
   <source>dark</source>
   <translation>dunkel</translation>
  </message>
  <message>
   <source>decided by {who}</source>
   <translation>entschieden: {who}</translation>
  </message>
  <message>
   <source>drafts</source>
   <translation>Entwürfe</translation>
  </message>
  <message>
   <source>empty</source>
   <translation>leer</translation>
  </message>
  <message>
   <source>encoding</source>
   <translation>Kodierung</translation>
  </message>
  <message>
   <source>ends in {value}</source>
   <translation>endet auf {value}</translation>
  </message>
  <message>
   <source>ends with “{value}”</source>
   <translation>endet mit „{value}“</translation>
  </message>
  <message>
   <source>facts rather than words (categorical)</source>
   <translation>Tatsachen statt Wörter (kategorial)</translation>
  </message>
  <message>
   <source>failed the {check}</source>
   <translation>{check} nicht bestanden</translation>
  </message>
  <message>
   <source>files</source>
   <translation>Dateien</translation>
  </message>
  <message>
   <source>found by itself</source>
   <translation>wird von selbst gefunden</translation>
  </message>
  <message>
   <source>from an unnamed server to {value}</source>
   <translation>von einem namenlosen Server an {value}</translation>
  </message>
  <message>
   <source>from experience</source>
   <translation>aus Erfahrung</translation>
  </message>
  <message>
   <source>from {sender}</source>
   <translation>von {sender}</translation>
  </message>
  <message>
   <source>from {value}</source>
   <translation>von {value}</translation>
  </message>
  <message>
   <source>go to the next message</source>
   <translation>weiter zur nächsten Nachricht</translation>
  </message>
  <message>
   <source>going back to %n earlier mark</source>
   <translation>zurückgehen um %n Markierung</translation>
  </message>
  <message>
   <source>going back to %n earlier marks</source>
   <translation>zurückgehen um %n Markierungen</translation>
  </message>
  <message>
   <source>good</source>
   <translation>gut</translation>
  </message>
  <message>
   <source>good mail</source>
   <translation>gute Mail</translation>
  </message>
  <message>
   <source>good mail misjudged</source>
   <translation>gute Mail verkannt</translation>
  </message>
  <message>
   <source>handed over by {value}</source>
   <translation>übergeben mit {value}</translation>
  </message>
  <message>
   <source>has one: {value}</source>
   <translation>vorhanden: {value}</translation>
  </message>
  <message>
   <source>header</source>
   <translation>Kopfzeile</translation>
  </message>
  <message>
   <source>hidden comments</source>
   <translation>versteckte Kommentare</translation>
  </message>
  <message>
   <source>hidden text</source>
   <translation>versteckter Text</translation>
  </message>
  <message>
   <source>how often each word comes (multinomial)</source>
   <translation>wie oft jedes Wort vorkommt (multinomial)</translation>
  </message>
  <message>
   <source>how often it comes in the others (complement)</source>
   <translation>wie oft es in den anderen vorkommt (Komplement)</translation>
  </message>
  <message>
   <source>ignored</source>
   <translation>übergangen</translation>
  </message>
  <message>
   <source>importing a model</source>
   <translation>ein Modell importieren</translation>
  </message>
  <message>
   <source>inside a link</source>
   <translation>in einem Link</translation>
  </message>
  <message>
   <source>inside an attachment</source>
   <translation>in einem Anhang</translation>
  </message>
  <message>
   <source>it is a reply</source>
   <translation>ist eine Antwort</translation>
  </message>
  <message>
   <source>its text is {value}</source>
   <translation>ihr Text ist {value}</translation>
  </message>
  <message>
   <source>its words</source>
   <translation>ihre Wörter</translation>
  </message>
  <message>
   <source>junk</source>
   <translation>Junk</translation>
  </message>
  <message>
   <source>junk caught</source>
   <translation>Junk erkannt</translation>
  </message>
  <message>
   <source>just now</source>
   <translation>gerade eben</translation>
  </message>
  <message>
   <source>labels.log, the second copy of your marks, was damaged.</source>
   <translation>labels.log, die zweite Kopie Ihrer Markierungen, war beschädigt.</translation>
  </message>
  <message>
   <source>language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>layout</source>
   <translation>Gestaltung</translation>
  </message>
  <message>
   <source>leans good</source>
   <translation>eher gut</translation>
  </message>
  <message>
   <source>leans junk</source>
   <translation>eher Junk</translation>
  </message>
  <message>
   <source>learning %n message</source>
   <translation>%n Nachricht lernen</translation>
  </message>
  <message>
   <source>learning %n messages</source>
   <translation>%n Nachrichten lernen</translation>
  </message>
  <message>
   <source>leave empty to keep it</source>
   <translation>leer lassen, um es zu behalten</translation>
  </message>
  <message>
   <source>letters of several scripts in one word</source>
   <translation>Buchstaben mehrerer Schriften in einem Wort</translation>
  </message>
  <message>
   <source>light</source>
   <translation>hell</translation>
  </message>
  <message>
   <source>like {value}</source>
   <translation>wie {value}</translation>
  </message>
  <message>
   <source>link</source>
   <translation>Link</translation>
  </message>
  <message>
   <source>links</source>
   <translation>Links</translation>
  </message>
  <message>
   <source>links to 1 server</source>
   <translation>Links zu 1 Server</translation>
  </message>
  <message>
   <source>links to no server</source>
   <translation>Links zu keinem Server</translation>
  </message>
  <message>
   <source>links to {n} servers</source>
   <translation>Links zu {n} Servern</translation>
  </message>
  <message>
   <source>mail</source>
   <translation>Mail</translation>
  </message>
  <message>
   <source>mail format</source>
   <translation>Nachrichtenformat</translation>
  </message>
  <message>
   <source>mail of the kind {value}</source>
   <translation>Mail der Art {value}</translation>
  </message>
  <message>
   <source>mail server</source>
   <translation>Mailserver</translation>
  </message>
  <message>
   <source>mailing list</source>
   <translation>Verteiler</translation>
  </message>
  <message>
   <source>marking %n message junk</source>
   <translation>%n Nachricht als Junk markieren</translation>
  </message>
  <message>
   <source>marking %n message not junk</source>
   <translation>%n Nachricht als kein Junk markieren</translation>
  </message>
  <message>
   <source>marking %n messages junk</source>
   <translation>%n Nachrichten als Junk markieren</translation>
  </message>
  <message>
   <source>marking %n messages not junk</source>
   <translation>%n Nachrichten als kein Junk markieren</translation>
  </message>
  <message>
   <source>marks</source>
   <translation>Markierungen</translation>
  </message>
  <message>
   <source>message number</source>
   <translation>Nachrichtennummer</translation>
  </message>
  <message>
   <source>mistakes</source>
   <translation>Fehler</translation>
  </message>
  <message>
   <source>most common first</source>
   <translation>die häufigsten zuerst</translation>
  </message>
  <message>
   <source>most for good mail first</source>
   <translation>für gute Mail zuerst</translation>
  </message>
  <message>
   <source>most for junk first</source>
   <translation>für Junk zuerst</translation>
  </message>
  <message>
   <source>most in good mail first</source>
   <translation>häufig in guter Mail zuerst</translation>
  </message>
  <message>
   <source>most in junk first</source>
   <translation>häufig in Junk zuerst</translation>
  </message>
  <message>
   <source>names no recipient</source>
   <translation>nennt keinen Empfänger</translation>
  </message>
  <message>
   <source>nbmail</source>
   <translation>nbmail</translation>
  </message>
  <message>
   <source>nbmail asks for the password each time it starts, and writes it nowhere.</source>
   <translation>nbmail fragt bei jedem Start nach dem Passwort und schreibt es nirgends hin.</translation>
  </message>
  <message>
   <source>nbmail can't make sense of this.</source>
   <translation>nbmail kann damit nichts anfangen.</translation>
  </message>
  <message>
   <source>nbmail has upgraded the file with your marks.</source>
   <translation>nbmail hat die Datei mit Ihren Markierungen auf den neuen Stand gebracht.</translation>
  </message>
  <message>
   <source>nbmail has written it again and keeps the damaged file.</source>
   <translation>nbmail hat sie neu geschrieben und hebt die beschädigte Datei auf.</translation>
  </message>
  <message>
   <source>nbmail has written it anew: no mark is lost. Look for what deletes files in its folder.</source>
   <translation>nbmail hat sie neu geschrieben: Keine Markierung ist verloren. Sehen Sie nach, was in seinem Ordner Dateien löscht.</translation>
  </message>
  <message>
   <source>nbmail is already running with this mail.</source>
   <translation>nbmail läuft schon mit dieser Mail.</translation>
  </message>
  <message>
   <source>nbmail is not registered with this mail provider.</source>
   <translation>nbmail ist bei diesem Mailanbieter nicht registriert.</translation>
  </message>
  <message>
   <source>nbmail learns from no folder of {account} any more.</source>
   <translation>nbmail lernt aus keinem Ordner von {account} mehr.</translation>
  </message>
  <message>
   <source>nbmail may not write to its own folder.</source>
   <translation>nbmail darf nicht in seinen eigenen Ordner schreiben.</translation>
  </message>
  <message>
   <source>nbmail models</source>
   <translation>Modelle von nbmail</translation>
  </message>
  <message>
   <source>nbmail needs the password of this mailbox.</source>
   <translation>nbmail braucht das Passwort dieses Postfachs.</translation>
  </message>
  <message>
   <source>nbmail reads it over IMAP. It moves mail only if you say so.</source>
   <translation>nbmail liest es über IMAP und verschiebt nichts ungefragt.</translation>
  </message>
  <message>
   <source>nbmail then says how many marks changed, and Undo brings all of them back.</source>
   <translation>nbmail sagt dann, wie viele Markierungen sich geändert haben, und Rückgängig bringt sie alle wieder.</translation>
  </message>
  <message>
   <source>nbmail {version}</source>
   <translation>nbmail {version}</translation>
  </message>
  <message>
   <source>network {value}</source>
   <translation>Netz {value}</translation>
  </message>
  <message>
   <source>next</source>
   <translation>weiter</translation>
  </message>
  <message>
   <source>no address of a sender</source>
   <translation>keine Absenderadresse</translation>
  </message>
  <message>
   <source>no answer.</source>
   <translation>keine Antwort.</translation>
  </message>
  <message>
   <source>no attachments</source>
   <translation>keine Anhänge</translation>
  </message>
  <message>
   <source>no capital letters</source>
   <translation>keine Großbuchstaben</translation>
  </message>
  <message>
   <source>no date</source>
   <translation>kein Datum</translation>
  </message>
  <message>
   <source>no digits</source>
   <translation>keine Ziffern</translation>
  </message>
  <message>
   <source>no exclamation marks</source>
   <translation>keine Ausrufezeichen</translation>
  </message>
  <message>
   <source>no header lines</source>
   <translation>keine Kopfzeilen</translation>
  </message>
  <message>
   <source>no letters beyond English</source>
   <translation>keine Buchstaben außer den englischen</translation>
  </message>
  <message>
   <source>no links</source>
   <translation>keine Links</translation>
  </message>
  <message>
   <source>no mark</source>
   <translation>keine</translation>
  </message>
  <message>
   <source>no page layout</source>
   <translation>kein Seitenlayout</translation>
  </message>
  <message>
   <source>no pictures</source>
   <translation>keine Bilder</translation>
  </message>
  <message>
   <source>no quoted lines</source>
   <translation>keine zitierten Zeilen</translation>
  </message>
  <message>
   <source>no subject</source>
   <translation>kein Betreff</translation>
  </message>
  <message>
   <source>no text</source>
   <translation>kein Text</translation>
  </message>
  <message>
   <source>no time zone in its date</source>
   <translation>keine Zeitzone im Datum</translation>
  </message>
  <message>
   <source>no weekday in its date</source>
   <translation>kein Wochentag im Datum</translation>
  </message>
  <message>
   <source>no word on what kind of mail it is</source>
   <translation>keine Angabe, welche Art Mail es ist</translation>
  </message>
  <message>
   <source>no words</source>
   <translation>keine Wörter</translation>
  </message>
  <message>
   <source>no {check}</source>
   <translation>keine {check}</translation>
  </message>
  <message>
   <source>nobody yet</source>
   <translation>noch keiner</translation>
  </message>
  <message>
   <source>not enough yet</source>
   <translation>noch nicht genug</translation>
  </message>
  <message>
   <source>not junk</source>
   <translation>kein Junk</translation>
  </message>
  <message>
   <source>nothing</source>
   <translation>nichts</translation>
  </message>
  <message>
   <source>nothing to judge by</source>
   <translation>nichts zum Beurteilen</translation>
  </message>
  <message>
   <source>now</source>
   <translation>jetzt</translation>
  </message>
  <message>
   <source>numbered by another server than the sender's</source>
   <translation>von einem anderen Server als dem des Absenders nummeriert</translation>
  </message>
  <message>
   <source>numbered by the sender's own server</source>
   <translation>vom Server des Absenders nummeriert</translation>
  </message>
  <message>
   <source>only for a server of your own</source>
   <translation>nur für einen eigenen Server</translation>
  </message>
  <message>
   <source>organization</source>
   <translation>Organisation</translation>
  </message>
  <message>
   <source>page layout</source>
   <translation>Seitengestaltung</translation>
  </message>
  <message>
   <source>passed the {check}</source>
   <translation>{check} bestanden</translation>
  </message>
  <message>
   <source>plain text</source>
   <translation>reiner Text</translation>
  </message>
  <message>
   <source>plain text and a web page</source>
   <translation>einfacher Text und eine Webseite</translation>
  </message>
  <message>
   <source>plain text only</source>
   <translation>nur einfacher Text</translation>
  </message>
  <message>
   <source>priority</source>
   <translation>Wichtigkeit</translation>
  </message>
  <message>
   <source>program</source>
   <translation>Programm</translation>
  </message>
  <message>
   <source>promised</source>
   <translation>versprochen</translation>
  </message>
  <message>
   <source>rather {name}</source>
   <translation>eher {name}</translation>
  </message>
  <message>
   <source>recipients</source>
   <translation>Empfänger</translation>
  </message>
  <message>
   <source>return address</source>
   <translation>Rücksendeadresse</translation>
  </message>
  <message>
   <source>returns elsewhere if it can't be delivered</source>
   <translation>geht unzustellbar woandershin zurück</translation>
  </message>
  <message>
   <source>returns to the sender if it can't be delivered</source>
   <translation>geht unzustellbar an den Absender zurück</translation>
  </message>
  <message>
   <source>search</source>
   <translation>suchen</translation>
  </message>
  <message>
   <source>selected</source>
   <translation>ausgewählt</translation>
  </message>
  <message>
   <source>sender</source>
   <translation>Absender</translation>
  </message>
  <message>
   <source>sender check (DMARC)</source>
   <translation>Absenderprüfung (DMARC)</translation>
  </message>
  <message>
   <source>sender check (SPF)</source>
   <translation>Absenderprüfung (SPF)</translation>
  </message>
  <message>
   <source>sent as</source>
   <translation>verschickt als</translation>
  </message>
  <message>
   <source>sent automatically</source>
   <translation>automatisch verschickt</translation>
  </message>
  <message>
   <source>sent between 4 and 8 in the evening</source>
   <translation>zwischen 16 und 20 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between 4 and 8 o'clock</source>
   <translation>zwischen 4 und 8 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between 8 in the evening and midnight</source>
   <translation>zwischen 20 Uhr und Mitternacht gesendet</translation>
  </message>
  <message>
   <source>sent between 8 o'clock and noon</source>
   <translation>zwischen 8 und 12 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between midnight and 4 o'clock</source>
   <translation>zwischen Mitternacht und 4 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between noon and 4 o'clock</source>
   <translation>zwischen 12 und 16 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent from the time zone {value}</source>
   <translation>aus der Zeitzone {value} gesendet</translation>
  </message>
  <message>
   <source>sent mail</source>
   <translation>Gesendetes</translation>
  </message>
  <message>
   <source>sent off by</source>
   <translation>abgeschickt von</translation>
  </message>
  <message>
   <source>sent off by somebody else for the sender</source>
   <translation>von jemand anderem für den Absender abgeschickt</translation>
  </message>
  <message>
   <source>sent off by the sender's own server</source>
   <translation>vom Server des Absenders abgeschickt</translation>
  </message>
  <message>
   <source>sent on a {day}</source>
   <translation>an einem {day} gesendet</translation>
  </message>
  <message>
   <source>several addresses of senders</source>
   <translation>mehrere Absenderadressen</translation>
  </message>
  <message>
   <source>share that was junk</source>
   <translation>Anteil, der Junk war</translation>
  </message>
  <message>
   <source>shows another address than it leads to</source>
   <translation>zeigt eine andere Adresse, als wohin er führt</translation>
  </message>
  <message>
   <source>signature check (ARC)</source>
   <translation>Unterschriftsprüfung (ARC)</translation>
  </message>
  <message>
   <source>signature check (DKIM)</source>
   <translation>Unterschriftsprüfung (DKIM)</translation>
  </message>
  <message>
   <source>signed by</source>
   <translation>unterschrieben von</translation>
  </message>
  <message>
   <source>sizes and shares (Gaussian)</source>
   <translation>Größen und Anteile (Gauß)</translation>
  </message>
  <message>
   <source>starting from nothing</source>
   <translation>ein Anfang aus dem Nichts</translation>
  </message>
  <message>
   <source>stay</source>
   <translation>bleiben</translation>
  </message>
  <message>
   <source>strongest first</source>
   <translation>die stärksten zuerst</translation>
  </message>
  <message>
   <source>subject</source>
   <translation>Betreff</translation>
  </message>
  <message>
   <source>subject of 1 letter</source>
   <translation>Betreff mit 1 Buchstaben</translation>
  </message>
  <message>
   <source>subject of {n} letters</source>
   <translation>Betreff mit {n} Buchstaben</translation>
  </message>
  <message>
   <source>taken in by {value}</source>
   <translation>angenommen von {value}</translation>
  </message>
  <message>
   <source>text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>the days on which {n} words were last met</source>
   <translation>die Tage, an denen {n} Wörter zuletzt vorkamen</translation>
  </message>
  <message>
   <source>the folder “{folder}”</source>
   <translation>der Ordner „{folder}“</translation>
  </message>
  <message>
   <source>the number of messages, which it doesn't keep, so that it is estimated from the words</source>
   <translation>die Zahl der Nachrichten, die es nicht aufhebt und die daher aus den Wörtern geschätzt wird</translation>
  </message>
  <message>
   <source>the rest</source>
   <translation>das Übrige</translation>
  </message>
  <message>
   <source>the sender</source>
   <translation>der Absender</translation>
  </message>
  <message>
   <source>the subject</source>
   <translation>der Betreff</translation>
  </message>
  <message>
   <source>the text</source>
   <translation>der Text</translation>
  </message>
  <message>
   <source>the way it came</source>
   <translation>der Weg</translation>
  </message>
  <message>
   <source>this sender</source>
   <translation>dieser Absender</translation>
  </message>
  <message>
   <source>together</source>
   <translation>zusammen</translation>
  </message>
  <message>
   <source>trash</source>
   <translation>Papierkorb</translation>
  </message>
  <message>
   <source>undo</source>
   <translation>rückgängig</translation>
  </message>
  <message>
   <source>unknown</source>
   <translation>unbekannt</translation>
  </message>
  <message>
   <source>unread</source>
   <translation>ungelesen</translation>
  </message>
  <message>
   <source>unsure</source>
   <translation>unsicher</translation>
  </message>
  <message>
   <source>very clearly {name}</source>
   <translation>sehr deutlich {name}</translation>
  </message>
  <message>
   <source>weights that learn from mistakes (logistic)</source>
   <translation>Gewichte, die aus Fehlern lernen (logistisch)</translation>
  </message>
  <message>
   <source>what bogoutil -R worked out, which has to be worked out anew</source>
   <translation>was bogoutil -R errechnet hat; es muss neu errechnet werden</translation>
  </message>
  <message>
   <source>when I say so</source>
   <translation>wenn ich es sage</translation>
  </message>
  <message>
   <source>where it set out</source>
   <translation>wo sie losging</translation>
  </message>
  <message>
   <source>which are there and which are not (Bernoulli)</source>
   <translation>welche da sind und welche nicht (Bernoulli)</translation>
  </message>
  <message>
   <source>which folder is for junk?</source>
   <translation>welcher Ordner ist für Junk?</translation>
  </message>
  <message>
   <source>which words are there (Bernoulli)</source>
   <translation>welche Wörter da sind (Bernoulli)</translation>
  </message>
  <message>
   <source>why</source>
   <translation>warum</translation>
  </message>
  <message>
   <source>words that depend on each other (tree)</source>
   <translation>Wörter, die voneinander abhängen (Baum)</translation>
  </message>
  <message>
   <source>written in the letters of {value}</source>
   <translation>in den Zeichen von {value} geschrieben</translation>
  </message>
  <message>
   <source>you</source>
   <translation>Sie</translation>
  </message>
  <message>
   <source>you, by going back</source>
   <translation>Sie, durch Zurückgehen</translation>
  </message>
  <message>
   <source>you, by redo</source>
   <translation>Sie, durch Wiederholen</translation>
  </message>
  <message>
   <source>you, by starting from nothing</source>
   <translation>Sie, durch einen Anfang aus dem Nichts</translation>
  </message>
  <message>
   <source>you, by undo</source>
   <translation>Sie, durch Rückgängig</translation>
  </message>
  <message>
   <source>{account} can't be reached just now. The rest is fetched as soon as it can.</source>
   <translation>{account} ist gerade nicht zu erreichen. Der Rest wird geholt, sobald es geht.</translation>
  </message>
  <message>
   <source>{account} has no folder “{folder}”.</source>
   <translation>{account} hat keinen Ordner „{folder}“.</translation>
  </message>
  <message>
   <source>{address}, who goes by the name “{name}”</source>
   <translation>{address}, mit dem Namen „{name}“</translation>
  </message>
  <message>
   <source>{check}: {value}</source>
   <translation>{check}: {value}</translation>
  </message>
  <message>
   <source>{count} are shown.</source>
   <translation>{count} werden gezeigt.</translation>
  </message>
  <message>
   <source>{count} folders</source>
   <translation>{count} Ordner</translation>
  </message>
  <message>
   <source>{count} marks cleared.</source>
   <translation>{count} Markierungen gelöscht.</translation>
  </message>
  <message>
   <source>{count} messages marked {name}.</source>
   <translation>{count} Nachrichten als {name} markiert.</translation>
  </message>
  <message>
   <source>{count} mostly small signs speak for good mail, first of all {words}.</source>
   <translation>{count} meist kleine Zeichen sprechen für gute Mail, allen voran {words}.</translation>
  </message>
  <message>
   <source>{count} mostly small signs speak for junk, first of all {words}.</source>
   <translation>{count} meist kleine Zeichen sprechen für Junk, allen voran {words}.</translation>
  </message>
  <message>
   <source>{day} {month}</source>
   <translation>{day}. {month}</translation>
  </message>
  <message>
   <source>{day} {month} {year}</source>
   <translation>{day}. {month} {year}</translation>
  </message>
  <message>
   <source>{folder}: {done} of {total}</source>
   <translation>{folder}: {done} von {total}</translation>
  </message>
  <message>
   <source>{host} answers.</source>
   <translation>{host} antwortet.</translation>
  </message>
  <message>
   <source>{host}, port {port}</source>
   <translation>{host}, Port {port}</translation>
  </message>
  <message>
   <source>{labels} marks: {caught} of junk caught, {misjudged} of good mail misjudged</source>
   <translation>{labels} Markierungen: {caught} des Junks erkannt, {misjudged} der guten Mail verkannt</translation>
  </message>
  <message>
   <source>{learning} from {folder}</source>
   <translation>{learning} aus {folder}</translation>
  </message>
  <message>
   <source>{low} to {high}</source>
   <translation>{low} bis {high}</translation>
  </message>
  <message>
   <source>{low} to {high} %</source>
   <translation>{low} bis {high} %</translation>
  </message>
  <message>
   <source>{most} and {last}</source>
   <translation>{most} und {last}</translation>
  </message>
  <message>
   <source>{name} is a packed file: what is in it hasn't been seen.</source>
   <translation>{name} ist eine gepackte Datei: Was darin ist, hat niemand gesehen.</translation>
  </message>
  <message>
   <source>{name} is a program or starts one.</source>
   <translation>{name} ist ein Programm oder startet eines.</translation>
  </message>
  <message>
   <source>{name} is a program that calls itself a {kind} file.</source>
   <translation>{name} ist ein Programm, das sich als {kind}-Datei ausgibt.</translation>
  </message>
  <message>
   <source>{name} is a program, whatever its name says.</source>
   <translation>{name} ist ein Programm, was immer der Name sagt.</translation>
  </message>
  <message>
   <source>{name} is a web page: it may ask for a password that isn't meant for it.</source>
   <translation>{name} ist eine Webseite: Sie kann nach einem Passwort fragen, das sie nichts angeht.</translation>
  </message>
  <message>
   <source>{name} may hold macros: small programs inside a document.</source>
   <translation>{name} kann Makros enthalten: kleine Programme in einem Dokument.</translation>
  </message>
  <message>
   <source>{name} opens another place: a web page, a folder or another computer.</source>
   <translation>{name} öffnet einen anderen Ort: eine Webseite, einen Ordner oder einen anderen Computer.</translation>
  </message>
  <message>
   <source>{name}, taken as {label}</source>
   <translation>{name}, gilt als {label}</translation>
  </message>
  <message>
   <source>{name}: what {owner} has learned from messages, {list}.</source>
   <translation>{name}: was {owner} aus Nachrichten gelernt hat, {list}.</translation>
  </message>
  <message>
   <source>{name}: {owner} has learned nothing yet.</source>
   <translation>{name}: {owner} hat noch nichts gelernt.</translation>
  </message>
  <message>
   <source>{n} attachments</source>
   <translation>{n} Anhänge</translation>
  </message>
  <message>
   <source>{n} capital letters</source>
   <translation>{n} Großbuchstaben</translation>
  </message>
  <message>
   <source>{n} digits</source>
   <translation>{n} Ziffern</translation>
  </message>
  <message>
   <source>{n} exclamation marks</source>
   <translation>{n} Ausrufezeichen</translation>
  </message>
  <message>
   <source>{n} header lines</source>
   <translation>{n} Kopfzeilen</translation>
  </message>
  <message>
   <source>{n} layout tags</source>
   <translation>{n} Layout-Tags</translation>
  </message>
  <message>
   <source>{n} letters beyond English</source>
   <translation>{n} andere Buchstaben als die englischen</translation>
  </message>
  <message>
   <source>{n} links</source>
   <translation>{n} Links</translation>
  </message>
  <message>
   <source>{n} magnets, which are rules and no training</source>
   <translation>{n} Magnete, die Regeln sind und nichts Gelerntes</translation>
  </message>
  <message>
   <source>{n} messages were moved out of Junk elsewhere.</source>
   <translation>{n} Nachrichten wurden anderswo aus Junk geholt.</translation>
  </message>
  <message>
   <source>{n} messages were moved to Junk elsewhere.</source>
   <translation>{n} Nachrichten wurden anderswo nach Junk verschoben.</translation>
  </message>
  <message>
   <source>{n} pictures</source>
   <translation>{n} Bilder</translation>
  </message>
  <message>
   <source>{n} quoted lines</source>
   <translation>{n} zitierte Zeilen</translation>
  </message>
  <message>
   <source>{n} recipients</source>
   <translation>{n} Empfänger</translation>
  </message>
  <message>
   <source>{n} words</source>
   <translation>{n} Wörter</translation>
  </message>
  <message>
   <source>{n} words that only that filter has</source>
   <translation>{n} Wörter, die nur jener Filter hat</translation>
  </message>
  <message>
   <source>{n} words that were never counted</source>
   <translation>{n} Wörter, die nie gezählt wurden</translation>
  </message>
  <message>
   <source>{n} words were left out.</source>
   <translation>{n} Wörter wurden ausgelassen.</translation>
  </message>
  <message>
   <source>{percent} chance of junk</source>
   <translation>zu {percent} Junk</translation>
  </message>
  <message>
   <source>{place} of {total} unsure</source>
   <translation>{place} von {total} unsicheren</translation>
  </message>
  <message>
   <source>{provider} is known to nbmail. Now type your password.</source>
   <translation>nbmail kennt {provider}. Geben Sie jetzt Ihr Passwort ein.</translation>
  </message>
  <message>
   <source>{provider} is reached through its own program on this computer. Start it, and use its password.</source>
   <translation>{provider} erreicht man über sein eigenes Programm auf diesem Computer. Starten Sie es, und nehmen Sie dessen Passwort.</translation>
  </message>
  <message>
   <source>{provider} lets programs in only through its own sign-in page, which nbmail can't use yet. Accounts of companies and schools may still allow a password: try it, or have your mail forwarded.</source>
   <translation>{provider} lässt Programme nur über die eigene Anmeldeseite herein, was nbmail noch nicht kann. Konten von Firmen und Schulen erlauben vielleicht noch ein Passwort: versuchen Sie es, oder lassen Sie Ihre Mail weiterleiten.</translation>
  </message>
  <message>
   <source>{provider} wants an app password here, one made for this program, rather than your usual one.</source>
   <translation>{provider} will hier statt Ihres üblichen ein App-Passwort, eigens für dieses Programm gemacht.</translation>
  </message>
  <message>
   <source>{said} on {when}.</source>
   <translation>{said} ({when}).</translation>
  </message>
  <message>
   <source>{said}, seen here on {when}.</source>
   <translation>{said} (hier bemerkt am {when}).</translation>
  </message>
  <message>
   <source>{said}.</source>
   <translation>{said}.</translation>
  </message>
  <message>
   <source>{said}. By itself nbmail would say {verdict}.</source>
   <translation>{said}. Von sich aus würde nbmail sagen: {verdict}.</translation>
  </message>
  <message>
   <source>{said}: {chance} junk</source>
   <translation>{said}: zu {chance} Junk</translation>
  </message>
  <message>
   <source>{verdict}, chance of junk {chance}</source>
   <translation>{verdict}, Junk-Chance {chance}</translation>
  </message>
  <message>
   <source>{verdict}, with a chance of {chance} that it is junk.</source>
   <translation>{verdict}, zu {chance} Junk.</translation>
  </message>
  <message>
   <source>{what}: let nbmail ask.</source>
   <translation>{what}: Lassen Sie nbmail fragen.</translation>
  </message>
  <message>
   <source>{when} ({time} where it was written)</source>
   <translation>{when} ({time}, wo sie geschrieben wurde)</translation>
  </message>
  <message>
   <source>{when}: {chance} junk</source>
   <translation>{when}: zu {chance} Junk</translation>
  </message>
  <message>
   <source>{where}: answers, and the line is protected.</source>
   <translation>{where}: antwortet, und die Leitung ist geschützt.</translation>
  </message>
  <message>
   <source>{where}: asking…</source>
   <translation>{where}: wird gefragt …</translation>
  </message>
  <message>
   <source>{words} speak for good mail.</source>
   <translation>{words} sprechen für gute Mail.</translation>
  </message>
  <message>
   <source>{words} speak for junk.</source>
   <translation>{words} sprechen für Junk.</translation>
  </message>
  <message>
   <source>{words} speaks for good mail.</source>
   <translation>{words} spricht für gute Mail.</translation>
  </message>
  <message>
   <source>{words} speaks for junk.</source>
   <translation>{words} spricht für Junk.</translation>
  </message>
  <message>
   <source>{word}. An honest percentage needed more marks.</source>
   <translation>{word}. Ehrliche Prozente hätten mehr Markierungen gebraucht.</translation>
  </message>
  <message>
   <source>{word}: in {junk} of your junk and {good} of your good messages; {amount}</source>
   <translation>{word}: in {junk} Ihrer Junk- und {good} Ihrer guten Nachrichten; {amount}</translation>
  </message>
  <message>
   <source>“{word}”</source>
   <translation>„{word}“</translation>
  </message>
  <message>
   <source>“{word}” ({place})</source>
   <translation>„{word}“ ({place})</translation>
  </message>
  <message>
   <source>“{word}” counts again.</source>
   <translation>„{word}“ zählt wieder.</translation>
  </message>
  <message>
   <source>“{word}” from {before} to {after}</source>
   <translation>„{word}“ von {before} auf {after}</translation>
  </message>
  <message>
   <source>“{word}” is ignored from now on.</source>
   <translation>„{word}“ wird von jetzt an übergangen.</translation>
  </message>
  <message>
   <source>✓  Folders with mail found there: {count}</source>
   <translation>✓  Dort gefundene Ordner mit Mail: {count}</translation>
  </message>
  <message>
   <source>✓  {host} answers, is protected and lets {user} in. Its folders: {count}</source>
   <translation>✓  {host} antwortet, ist geschützt und lässt {user} ein. Seine Ordner: {count}</translation>
  </message>
  <message>
   <source>✓  {host} lets {user} in, without protection: others on the way can read along. Folders: {count}</source>
   <translation>✓  {host} lässt {user} ein, ungeschützt: Andere auf dem Weg können mitlesen. Ordner: {count}</translation>
  </message>
 </context>
</TS>
