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
   <source>%n absent word</source>
   <translation>%n fehlendes Wort</translation>
  </message>
  <message>
   <source>%n absent words</source>
   <translation>%n fehlende Wörter</translation>
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
   <source>%n folder is chosen to fill automatically.</source>
   <translation>%n Ordner ist zum automatischen Füllen ausgewählt.</translation>
  </message>
  <message>
   <source>%n folders are chosen to fill automatically.</source>
   <translation>%n Ordner sind zum automatischen Füllen ausgewählt.</translation>
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
   <source>%n mark changed.</source>
   <translation>%n Markierung geändert.</translation>
  </message>
  <message>
   <source>%n marked</source>
   <translation>%n markiert</translation>
  </message>
  <message>
   <source>%n marked message may contain it and is read again once it is downloaded.</source>
   <translation>%n markierte Nachricht enthält sie möglicherweise und wird neu gelesen, sobald sie heruntergeladen ist.</translation>
  </message>
  <message>
   <source>%n marked messages may contain it and are read again once they are downloaded.</source>
   <translation>%n markierte Nachrichten enthalten sie möglicherweise und werden neu gelesen, sobald sie heruntergeladen sind.</translation>
  </message>
  <message>
   <source>%n marks changed.</source>
   <translation>%n Markierungen geändert.</translation>
  </message>
  <message>
   <source>%n message</source>
   <translation>%n Nachricht</translation>
  </message>
  <message>
   <source>%n message changes its verdict.</source>
   <translation>%n Nachricht ändert ihre Einstufung.</translation>
  </message>
  <message>
   <source>%n message contains it:</source>
   <translation>%n Nachricht enthält es:</translation>
  </message>
  <message>
   <source>%n message filed in a folder.</source>
   <translation>%n Nachricht in einen Ordner eingeordnet.</translation>
  </message>
  <message>
   <source>%n message goes back.</source>
   <translation>%n Nachricht geht zurück.</translation>
  </message>
  <message>
   <source>%n message in the inbox is classified as spam.</source>
   <translation>%n Nachricht im Posteingang ist als Spam eingestuft.</translation>
  </message>
  <message>
   <source>%n message marked as read.</source>
   <translation>%n Nachricht als gelesen markiert.</translation>
  </message>
  <message>
   <source>%n message was not moved.</source>
   <translation>%n Nachricht wurde nicht verschoben.</translation>
  </message>
  <message>
   <source>%n messages</source>
   <translation>%n Nachrichten</translation>
  </message>
  <message>
   <source>%n messages archived.</source>
   <translation>%n Nachrichten archiviert.</translation>
  </message>
  <message>
   <source>%n messages change their verdict.</source>
   <translation>%n Nachrichten ändern ihre Einstufung.</translation>
  </message>
  <message>
   <source>%n messages contain it:</source>
   <translation>%n Nachrichten enthalten es:</translation>
  </message>
  <message>
   <source>%n messages deleted permanently.</source>
   <translation>%n Nachrichten endgültig gelöscht.</translation>
  </message>
  <message>
   <source>%n messages filed in folders.</source>
   <translation>%n Nachrichten in Ordner eingeordnet.</translation>
  </message>
  <message>
   <source>%n messages go back.</source>
   <translation>%n Nachrichten gehen zurück.</translation>
  </message>
  <message>
   <source>%n messages in the inbox are classified as spam.</source>
   <translation>%n Nachrichten im Posteingang sind als Spam eingestuft.</translation>
  </message>
  <message>
   <source>%n messages marked as read.</source>
   <translation>%n Nachrichten als gelesen markiert.</translation>
  </message>
  <message>
   <source>%n messages moved to the trash.</source>
   <translation>%n Nachrichten in den Papierkorb verschoben.</translation>
  </message>
  <message>
   <source>%n messages moved to their suggested folders.</source>
   <translation>%n Nachrichten in die vorgeschlagenen Ordner verschoben.</translation>
  </message>
  <message>
   <source>%n messages moved to {folder}.</source>
   <translation>%n Nachrichten nach {folder} verschoben.</translation>
  </message>
  <message>
   <source>%n messages were not moved.</source>
   <translation>%n Nachrichten wurden nicht verschoben.</translation>
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
   <source>%n more good message</source>
   <translation>%n weitere gute Nachricht</translation>
  </message>
  <message>
   <source>%n more good messages</source>
   <translation>%n weitere gute Nachrichten</translation>
  </message>
  <message>
   <source>%n more spam message</source>
   <translation>%n weitere Spam-Nachricht</translation>
  </message>
  <message>
   <source>%n more spam messages</source>
   <translation>%n weitere Spam-Nachrichten</translation>
  </message>
  <message>
   <source>%n more stay there.</source>
   <translation>%n weitere bleiben dort.</translation>
  </message>
  <message>
   <source>%n more stays there.</source>
   <translation>%n weitere bleibt dort.</translation>
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
   <source>%n not spam</source>
   <translation>%n kein Spam</translation>
  </message>
  <message>
   <source>%n opposite mark on a message like this would change the verdict.</source>
   <translation>%n gegenteilige Markierung einer Nachricht wie dieser würde die Einstufung ändern.</translation>
  </message>
  <message>
   <source>%n opposite marks on messages like this would change the verdict.</source>
   <translation>%n gegenteilige Markierungen von Nachrichten wie dieser würden die Einstufung ändern.</translation>
  </message>
  <message>
   <source>%n other message changed its verdict.</source>
   <translation>%n andere Nachricht hat ihre Einstufung geändert.</translation>
  </message>
  <message>
   <source>%n other message is no longer unsure.</source>
   <translation>%n weitere Nachricht ist nicht mehr unsicher.</translation>
  </message>
  <message>
   <source>%n other messages are no longer unsure.</source>
   <translation>%n weitere Nachrichten sind nicht mehr unsicher.</translation>
  </message>
  <message>
   <source>%n other messages changed their verdict.</source>
   <translation>%n andere Nachrichten haben ihre Einstufung geändert.</translation>
  </message>
  <message>
   <source>%n phrase.</source>
   <translation>%n Wendung.</translation>
  </message>
  <message>
   <source>%n phrases.</source>
   <translation>%n Wendungen.</translation>
  </message>
  <message>
   <source>%n picture could not be loaded.</source>
   <translation>%n Bild konnte nicht geladen werden.</translation>
  </message>
  <message>
   <source>%n picture was not loaded.</source>
   <translation>%n Bild wurde nicht geladen.</translation>
  </message>
  <message>
   <source>%n pictures could not be loaded.</source>
   <translation>%n Bilder konnten nicht geladen werden.</translation>
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
   <source>%n skipped message is still unsure.</source>
   <translation>%n übersprungene Nachricht ist noch unsicher.</translation>
  </message>
  <message>
   <source>%n skipped messages are still unsure.</source>
   <translation>%n übersprungene Nachrichten sind noch unsicher.</translation>
  </message>
  <message>
   <source>%n spam</source>
   <translation>%n Spam</translation>
  </message>
  <message>
   <source>%n unmarked</source>
   <translation>%n nicht markiert</translation>
  </message>
  <message>
   <source>%n weaker reason together</source>
   <translation>%n schwächerer Grund</translation>
  </message>
  <message>
   <source>%n weaker reasons together</source>
   <translation>%n schwächere Gründe zusammen</translation>
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
   <source>&amp;Add phrase</source>
   <translation>Wendung hin&amp;zufügen</translation>
  </message>
  <message>
   <source>&amp;Check again</source>
   <translation>&amp;Erneut prüfen</translation>
  </message>
  <message>
   <source>&amp;Compare methods</source>
   <translation>Verfahren &amp;vergleichen</translation>
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
   <source>&amp;Help</source>
   <translation>&amp;Hilfe</translation>
  </message>
  <message>
   <source>&amp;Import…</source>
   <translation>&amp;Importieren …</translation>
  </message>
  <message>
   <source>&amp;Keep mark</source>
   <translation>Markierung &amp;behalten</translation>
  </message>
  <message>
   <source>&amp;Mail</source>
   <translation>&amp;Mail</translation>
  </message>
  <message>
   <source>&amp;Rebuild…</source>
   <translation>Neu be&amp;rechnen …</translation>
  </message>
  <message>
   <source>&amp;Remove phrase</source>
   <translation>Wendung ent&amp;fernen</translation>
  </message>
  <message>
   <source>&amp;Restore to before this…</source>
   <translation>Stand davor &amp;wiederherstellen …</translation>
  </message>
  <message>
   <source>&amp;Reverse mark</source>
   <translation>Markierung &amp;umkehren</translation>
  </message>
  <message>
   <source>&amp;Show learning curve</source>
   <translation>&amp;Lernkurve anzeigen</translation>
  </message>
  <message>
   <source>&amp;Use this method</source>
   <translation>Dieses Verfahren ver&amp;wenden</translation>
  </message>
  <message>
   <source>&amp;Use word again</source>
   <translation>Wort wieder &amp;verwenden</translation>
  </message>
  <message>
   <source>&amp;View</source>
   <translation>&amp;Ansicht</translation>
  </message>
  <message>
   <source>(empty)</source>
   <translation>(leer)</translation>
  </message>
  <message>
   <source>(message no longer in any folder)</source>
   <translation>(Nachricht in keinem Ordner mehr)</translation>
  </message>
  <message>
   <source>(no longer in any account)</source>
   <translation>(in keinem Konto mehr)</translation>
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
   <source>1 HTML tag</source>
   <translation>1 HTML-Tag</translation>
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
   <source>1 link</source>
   <translation>1 Link</translation>
  </message>
  <message>
   <source>1 linked server</source>
   <translation>1 verlinkter Server</translation>
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
   <source>1 relay server</source>
   <translation>1 Zwischenserver</translation>
  </message>
  <message>
   <source>1 word</source>
   <translation>1 Wort</translation>
  </message>
  <message>
   <source>1-character subject</source>
   <translation>Betreff aus 1 Zeichen</translation>
  </message>
  <message>
   <source>1. Register a desktop program (public client) with the redirect address {redirect} at {page}.</source>
   <translation>1. Registrieren Sie unter {page} ein Desktop-Programm (öffentlicher Client) mit der Weiterleitungsadresse {redirect}.</translation>
  </message>
  <message>
   <source>2. Allow it this access: {scope}. Then enter its client ID here.</source>
   <translation>2. Erlauben Sie ihm diesen Zugriff: {scope}. Geben Sie dann hier seine Client-ID ein.</translation>
  </message>
  <message>
   <source>A code on another device</source>
   <translation>Code auf einem anderen Gerät</translation>
  </message>
  <message>
   <source>A false alarm costs as much as checking %n message yourself</source>
   <translation>Ein Fehlalarm kostet so viel wie das eigene Prüfen von %n Nachricht</translation>
  </message>
  <message>
   <source>A false alarm costs as much as checking %n messages yourself</source>
   <translation>Ein Fehlalarm kostet so viel wie das eigene Prüfen von %n Nachrichten</translation>
  </message>
  <message>
   <source>A false alarm costs {lost}, missed spam {missed}, an unsure message {unsure}</source>
   <translation>Ein Fehlalarm kostet {lost}, nicht erkannter Spam {missed}, eine unsichere Nachricht {unsure}</translation>
  </message>
  <message>
   <source>A folder is offered here once enough of its suggestions above 99 % were right.</source>
   <translation>Ein Ordner erscheint hier, sobald genügend seiner Vorschläge über 99 % richtig waren.</translation>
  </message>
  <message>
   <source>A folder no longer exists on the server.</source>
   <translation>Ein Ordner existiert auf dem Server nicht mehr.</translation>
  </message>
  <message>
   <source>A new language takes effect after a restart.</source>
   <translation>Eine neue Sprache gilt nach einem Neustart.</translation>
  </message>
  <message>
   <source>A positive log-ratio favors the folder.</source>
   <translation>Ein positiver Log-Quotient spricht für den Ordner.</translation>
  </message>
  <message>
   <source>A rule decides the verdict, and nbmail learns nothing from it. “Always not spam” counts only for messages whose sender your mail server verified.</source>
   <translation>Eine Regel bestimmt die Einstufung, und nbmail lernt nichts daraus. „Nie Spam“ gilt nur für Nachrichten, deren Absender Ihr Mailserver bestätigt hat.</translation>
  </message>
  <message>
   <source>About nbmail</source>
   <translation>Über nbmail</translation>
  </message>
  <message>
   <source>Account</source>
   <translation>Konto</translation>
  </message>
  <message>
   <source>Account settings: {name}</source>
   <translation>Kontoeinstellungen: {name}</translation>
  </message>
  <message>
   <source>Account settings…</source>
   <translation>Kontoeinstellungen …</translation>
  </message>
  <message>
   <source>Accuracy</source>
   <translation>Genauigkeit</translation>
  </message>
  <message>
   <source>Accuracy by number of marks</source>
   <translation>Genauigkeit nach Zahl der Markierungen</translation>
  </message>
  <message>
   <source>Action needed: folder “{folder}” not found</source>
   <translation>Aktion erforderlich: Ordner „{folder}“ nicht gefunden</translation>
  </message>
  <message>
   <source>Action needed: {why}</source>
   <translation>Aktion erforderlich: {why}</translation>
  </message>
  <message>
   <source>Actions</source>
   <translation>Aktionen</translation>
  </message>
  <message>
   <source>Add account</source>
   <translation>Konto hinzufügen</translation>
  </message>
  <message>
   <source>Add account…</source>
   <translation>Konto hinzufügen …</translation>
  </message>
  <message>
   <source>Add to model</source>
   <translation>Zum Modell hinzufügen</translation>
  </message>
  <message>
   <source>Added to the count of each word. 0 is maximum likelihood, 1 is Laplace.</source>
   <translation>Wird zur Zahl jedes Worts addiert. 0 ist Maximum Likelihood, 1 ist Laplace.</translation>
  </message>
  <message>
   <source>Adds</source>
   <translation>Beitrag</translation>
  </message>
  <message>
   <source>Adds training from nbmail or another filter. You see a preview first and can undo the import.</source>
   <translation>Fügt Training aus nbmail oder einem anderen Filter hinzu. Sie sehen zuerst eine Vorschau und können den Import rückgängig machen.</translation>
  </message>
  <message>
   <source>Adjustments to single words, learned from messages whose score was wrong or not clear enough.</source>
   <translation>Anpassungen einzelner Wörter, gelernt aus Nachrichten, deren Bewertung falsch oder nicht deutlich genug war.</translation>
  </message>
  <message>
   <source>Adjusts the score to past results and to the share of spam in your mail. Of 100 messages shown at 90 %, about 90 are spam.</source>
   <translation>Passt die Bewertung an frühere Ergebnisse und an den Spam-Anteil Ihrer Mail an. Von 100 Nachrichten mit angezeigten 90 % sind etwa 90 Spam.</translation>
  </message>
  <message>
   <source>After</source>
   <translation>Nachher</translation>
  </message>
  <message>
   <source>After marking</source>
   <translation>Nach dem Markieren</translation>
  </message>
  <message>
   <source>After two seconds</source>
   <translation>Nach zwei Sekunden</translation>
  </message>
  <message>
   <source>All</source>
   <translation>Alle</translation>
  </message>
  <message>
   <source>All classes instead of spam and good mail</source>
   <translation>Alle Klassen statt Spam und guter E-Mails</translation>
  </message>
  <message>
   <source>All costs…</source>
   <translation>Alle Kosten …</translation>
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
   <source>All imports were removed. Your marks were not changed.</source>
   <translation>Alle Importe wurden entfernt. Ihre Markierungen sind unverändert.</translation>
  </message>
  <message>
   <source>All mail</source>
   <translation>Alle Nachrichten</translation>
  </message>
  <message>
   <source>All messages are read already.</source>
   <translation>Alle Nachrichten sind schon gelesen.</translation>
  </message>
  <message>
   <source>All reasons</source>
   <translation>Alle Gründe</translation>
  </message>
  <message>
   <source>Already marked.</source>
   <translation>Schon markiert.</translation>
  </message>
  <message>
   <source>Always for this sender</source>
   <translation>Immer für diesen Absender</translation>
  </message>
  <message>
   <source>Always learn</source>
   <translation>Immer lernen</translation>
  </message>
  <message>
   <source>Always not spam</source>
   <translation>Nie Spam</translation>
  </message>
  <message>
   <source>Always spam</source>
   <translation>Immer Spam</translation>
  </message>
  <message>
   <source>Among three</source>
   <translation>Unter dreien</translation>
  </message>
  <message>
   <source>Another mail program moved 1 message out of Spam.</source>
   <translation>Ein anderes Mailprogramm hat 1 Nachricht aus dem Spam-Ordner verschoben.</translation>
  </message>
  <message>
   <source>Another mail program moved 1 message to Spam.</source>
   <translation>Ein anderes Mailprogramm hat 1 Nachricht in den Spam-Ordner verschoben.</translation>
  </message>
  <message>
   <source>Another mail program moved {n} messages out of Spam.</source>
   <translation>Ein anderes Mailprogramm hat {n} Nachrichten aus dem Spam-Ordner verschoben.</translation>
  </message>
  <message>
   <source>Another mail program moved {n} messages to Spam.</source>
   <translation>Ein anderes Mailprogramm hat {n} Nachrichten in den Spam-Ordner verschoben.</translation>
  </message>
  <message>
   <source>Applying rule</source>
   <translation>Regel wird angewendet</translation>
  </message>
  <message>
   <source>Archive</source>
   <translation>Archivieren</translation>
  </message>
  <message>
   <source>Archive folder of {account}</source>
   <translation>Archivordner von {account}</translation>
  </message>
  <message>
   <source>Arg max</source>
   <translation>Arg max</translation>
  </message>
  <message>
   <source>Armenian</source>
   <translation>armenisch</translation>
  </message>
  <message>
   <source>Arriving spam is moved to the spam folder.</source>
   <translation>Ankommender Spam wird in den Spam-Ordner verschoben.</translation>
  </message>
  <message>
   <source>Ask</source>
   <translation>Nachfragen</translation>
  </message>
  <message>
   <source>Ask Thunderbird's directory about {domain}</source>
   <translation>Thunderbirds Verzeichnis nach {domain} fragen</translation>
  </message>
  <message>
   <source>Automatic sorting…</source>
   <translation>Automatisches Sortieren…</translation>
  </message>
  <message>
   <source>Back</source>
   <translation>Zurück</translation>
  </message>
  <message>
   <source>Back to list</source>
   <translation>Zurück zur Liste</translation>
  </message>
  <message>
   <source>Balanced evidence (recommended)</source>
   <translation>Ausgewogene Belege (empfohlen)</translation>
  </message>
  <message>
   <source>Before</source>
   <translation>Vorher</translation>
  </message>
  <message>
   <source>Before calibration it would be {percent}.</source>
   <translation>Vor der Kalibrierung wären es {percent}.</translation>
  </message>
  <message>
   <source>Begin now</source>
   <translation>Jetzt beginnen</translation>
  </message>
  <message>
   <source>Begin sorting now?</source>
   <translation>Schon jetzt sortieren?</translation>
  </message>
  <message>
   <source>Below the spam threshold of {percent}</source>
   <translation>Unter der Spam-Schwelle von {percent}</translation>
  </message>
  <message>
   <source>Bernoulli (all words)</source>
   <translation>Bernoulli (alle Wörter)</translation>
  </message>
  <message>
   <source>Bernoulli (present words)</source>
   <translation>Bernoulli (vorhandene Wörter)</translation>
  </message>
  <message>
   <source>Best: {name}. On the newest {tested}, its accuracy is {accuracy}.</source>
   <translation>Bestes Ergebnis: {name}. Bei den neuesten {tested} ist die Genauigkeit {accuracy}.</translation>
  </message>
  <message>
   <source>Best: {name}. On {tested} further messages, its accuracy is {accuracy}.</source>
   <translation>Bestes Ergebnis: {name}. Bei {tested} weiteren Nachrichten ist die Genauigkeit {accuracy}.</translation>
  </message>
  <message>
   <source>Beta prior a</source>
   <translation>Beta-Prior a</translation>
  </message>
  <message>
   <source>Beta prior a, b</source>
   <translation>Beta-Prior a, b</translation>
  </message>
  <message>
   <source>Beta prior b</source>
   <translation>Beta-Prior b</translation>
  </message>
  <message>
   <source>Buckets: {list}.</source>
   <translation>Buckets: {list}.</translation>
  </message>
  <message>
   <source>By {count} marked messages: Naive Bayes (Bernoulli) {bayes}, logistic regression {logistic}, which counts 1/√n in a message of n words.</source>
   <translation>Nach {count} markierten Nachrichten: Naive Bayes (Bernoulli) {bayes}, logistische Regression {logistic}, was in einer Nachricht mit n Wörtern zu 1/√n zählt.</translation>
  </message>
  <message>
   <source>C&amp;hoose parameters for me</source>
   <translation>Parameter &amp;automatisch wählen</translation>
  </message>
  <message>
   <source>Calculating the learning curve: {done} of {total}</source>
   <translation>Lernkurve wird berechnet: {done} von {total}</translation>
  </message>
  <message>
   <source>Calculating the learning curve…</source>
   <translation>Lernkurve wird berechnet …</translation>
  </message>
  <message>
   <source>Calculating…</source>
   <translation>Wird berechnet …</translation>
  </message>
  <message>
   <source>Can't reach the mail server.</source>
   <translation>Der Mailserver ist nicht erreichbar.</translation>
  </message>
  <message>
   <source>Cancel</source>
   <translation>Abbrechen</translation>
  </message>
  <message>
   <source>Cancel sign-in</source>
   <translation>Anmeldung abbrechen</translation>
  </message>
  <message>
   <source>Catch more spam</source>
   <translation>Mehr Spam erkennen</translation>
  </message>
  <message>
   <source>Categorical: facts only</source>
   <translation>Kategorial: nur Merkmale</translation>
  </message>
  <message>
   <source>Cc</source>
   <translation>Cc</translation>
  </message>
  <message>
   <source>Certificate file</source>
   <translation>Zertifikatsdatei</translation>
  </message>
  <message>
   <source>Chance</source>
   <translation>Wahrscheinlichkeit</translation>
  </message>
  <message>
   <source>Chance of spam</source>
   <translation>Spam-Wahrsch.</translation>
  </message>
  <message>
   <source>Chance of spam checked on %n message</source>
   <translation>Spam-Wahrscheinlichkeit an %n Nachricht geprüft</translation>
  </message>
  <message>
   <source>Chance of spam checked on %n messages</source>
   <translation>Spam-Wahrscheinlichkeit an %n Nachrichten geprüft</translation>
  </message>
  <message>
   <source>Chance of spam is still rough: mark {parts}</source>
   <translation>Spam-Wahrscheinlichkeit noch ungenau: Markieren Sie {parts}</translation>
  </message>
  <message>
   <source>Change the folder's permissions, or start nbmail with --home and another folder.</source>
   <translation>Ändern Sie die Rechte des Ordners, oder starten Sie nbmail mit --home und einem anderen Ordner.</translation>
  </message>
  <message>
   <source>Change threshold…</source>
   <translation>Schwelle ändern …</translation>
  </message>
  <message>
   <source>Changed by</source>
   <translation>Geändert von</translation>
  </message>
  <message>
   <source>Check again</source>
   <translation>Erneut prüfen</translation>
  </message>
  <message>
   <source>Check for mail</source>
   <translation>Mail abrufen</translation>
  </message>
  <message>
   <source>Check the port and the security setting, or try again in a moment.</source>
   <translation>Prüfen Sie den Port und die Sicherheitseinstellung, oder versuchen Sie es gleich noch einmal.</translation>
  </message>
  <message>
   <source>Check the server name and port, or try again later.</source>
   <translation>Prüfen Sie Servernamen und Port, oder versuchen Sie es später noch einmal.</translation>
  </message>
  <message>
   <source>Check the server name, the port and your internet connection.</source>
   <translation>Prüfen Sie den Servernamen, den Port und Ihre Internetverbindung.</translation>
  </message>
  <message>
   <source>Check your internet connection and the server name. nbmail keeps retrying.</source>
   <translation>Prüfen Sie Ihre Internetverbindung und den Servernamen. nbmail versucht es weiter.</translation>
  </message>
  <message>
   <source>Checked for new mail.</source>
   <translation>Neue Mail abgerufen.</translation>
  </message>
  <message>
   <source>Checked for new mail. Not reached: {accounts}</source>
   <translation>Neue Mail abgerufen. Nicht erreicht: {accounts}</translation>
  </message>
  <message>
   <source>Checking all marks…</source>
   <translation>Alle Markierungen werden geprüft …</translation>
  </message>
  <message>
   <source>Checking for new mail…</source>
   <translation>Neue Mail wird abgerufen …</translation>
  </message>
  <message>
   <source>Checking the server certificate…</source>
   <translation>Zertifikat des Servers wird geprüft …</translation>
  </message>
  <message>
   <source>Checking {folder}…</source>
   <translation>{folder} wird geprüft …</translation>
  </message>
  <message>
   <source>Choose a list</source>
   <translation>Liste wählen</translation>
  </message>
  <message>
   <source>Choose another folder in the account settings.</source>
   <translation>Wählen Sie in den Kontoeinstellungen einen anderen Ordner.</translation>
  </message>
  <message>
   <source>Choose another folder in the account settings. All other folders are up to date.</source>
   <translation>Wählen Sie in den Kontoeinstellungen einen anderen Ordner. Alle anderen Ordner sind aktuell.</translation>
  </message>
  <message>
   <source>Choose another folder or file.</source>
   <translation>Wählen Sie einen anderen Ordner oder eine andere Datei.</translation>
  </message>
  <message>
   <source>Choose file…</source>
   <translation>Datei wählen …</translation>
  </message>
  <message>
   <source>Choose folders…</source>
   <translation>Ordner wählen …</translation>
  </message>
  <message>
   <source>Choose folder…</source>
   <translation>Ordner wählen …</translation>
  </message>
  <message>
   <source>Choose mail file</source>
   <translation>Maildatei wählen</translation>
  </message>
  <message>
   <source>Choose mail folder</source>
   <translation>Mailordner wählen</translation>
  </message>
  <message>
   <source>Choose the folder or file that contains the mail.</source>
   <translation>Wählen Sie den Ordner oder die Datei mit der Mail.</translation>
  </message>
  <message>
   <source>Clear mark</source>
   <translation>Markierung entfernen</translation>
  </message>
  <message>
   <source>Clear search</source>
   <translation>Suche löschen</translation>
  </message>
  <message>
   <source>Client ID</source>
   <translation>Client-ID</translation>
  </message>
  <message>
   <source>Client secret</source>
   <translation>Client-Geheimnis</translation>
  </message>
  <message>
   <source>Close</source>
   <translation>Schließen</translation>
  </message>
  <message>
   <source>Compare with logistic regression</source>
   <translation>Mit logistischer Regression vergleichen</translation>
  </message>
  <message>
   <source>Comparing methods…</source>
   <translation>Verfahren werden verglichen …</translation>
  </message>
  <message>
   <source>Compatibility scores: log p(x, spam) = {spam}, log p(x, not spam) = {ham}.</source>
   <translation>Kompatibilitätswerte: log p(x, Spam) = {spam}, log p(x, kein Spam) = {ham}.</translation>
  </message>
  <message>
   <source>Complement: word frequency in the other class</source>
   <translation>Komplement: Häufigkeit in der anderen Klasse</translation>
  </message>
  <message>
   <source>Confirm the server first: it is not in the domain of your address.</source>
   <translation>Bestätigen Sie zuerst den Server: Er gehört nicht zur Domain Ihrer Adresse.</translation>
  </message>
  <message>
   <source>Confirmed as spam</source>
   <translation>Als Spam bestätigt</translation>
  </message>
  <message>
   <source>Confirmed in {folder}</source>
   <translation>Bestätigt in {folder}</translation>
  </message>
  <message>
   <source>Connected to {host}.</source>
   <translation>Mit {host} verbunden.</translation>
  </message>
  <message>
   <source>Connecting to {host}…</source>
   <translation>Verbindung zu {host} …</translation>
  </message>
  <message>
   <source>Connecting…</source>
   <translation>Verbindung wird aufgebaut …</translation>
  </message>
  <message>
   <source>Connection encrypted, server certificate verified.</source>
   <translation>Verbindung verschlüsselt, Zertifikat des Servers geprüft.</translation>
  </message>
  <message>
   <source>Connection not encrypted, as you chose.</source>
   <translation>Verbindung nicht verschlüsselt, wie von Ihnen gewählt.</translation>
  </message>
  <message>
   <source>Contacting the sign-in page of your mail provider…</source>
   <translation>Verbindung zur Anmeldeseite Ihres Mailanbieters …</translation>
  </message>
  <message>
   <source>Continue</source>
   <translation>Weiter</translation>
  </message>
  <message>
   <source>Continue with the most useful messages</source>
   <translation>Weiter mit den nützlichsten Nachrichten</translation>
  </message>
  <message>
   <source>Copied to the clipboard.</source>
   <translation>In die Zwischenablage kopiert.</translation>
  </message>
  <message>
   <source>Copy</source>
   <translation>Kopieren</translation>
  </message>
  <message>
   <source>Copy all</source>
   <translation>Alles kopieren</translation>
  </message>
  <message>
   <source>Copy the address</source>
   <translation>Adresse kopieren</translation>
  </message>
  <message>
   <source>Copy {address}</source>
   <translation>{address} kopieren</translation>
  </message>
  <message>
   <source>Corr.</source>
   <translation>Korr.</translation>
  </message>
  <message>
   <source>Correct the part named below.</source>
   <translation>Berichtigen Sie die unten genannte Stelle.</translation>
  </message>
  <message>
   <source>Correction</source>
   <translation>Korrektur</translation>
  </message>
  <message>
   <source>Corrections</source>
   <translation>Korrekturen</translation>
  </message>
  <message>
   <source>Cost of a false alarm</source>
   <translation>Kosten eines Fehlalarms</translation>
  </message>
  <message>
   <source>Costs changed.</source>
   <translation>Kosten geändert.</translation>
  </message>
  <message>
   <source>Costs of mistakes</source>
   <translation>Kosten von Fehlern</translation>
  </message>
  <message>
   <source>Count as a &amp;phrase</source>
   <translation>Als &amp;Wendung zählen</translation>
  </message>
  <message>
   <source>Counting the phrase in your mail…</source>
   <translation>Die Wendung wird in Ihrer Mail gezählt …</translation>
  </message>
  <message>
   <source>Counts</source>
   <translation>Häufigkeit</translation>
  </message>
  <message>
   <source>Create app password…</source>
   <translation>App-Passwort erstellen …</translation>
  </message>
  <message>
   <source>Create folder “{name}”</source>
   <translation>Ordner „{name}“ anlegen</translation>
  </message>
  <message>
   <source>Create “Junk”</source>
   <translation>„Junk“ anlegen</translation>
  </message>
  <message>
   <source>Current folder</source>
   <translation>Aktueller Ordner</translation>
  </message>
  <message>
   <source>Cyrillic</source>
   <translation>kyrillisch</translation>
  </message>
  <message>
   <source>DNS, IMAP server of {place}</source>
   <translation>DNS, IMAP-Server von {place}</translation>
  </message>
  <message>
   <source>DNS, incoming mail of {place}</source>
   <translation>DNS, eingehende Mail von {place}</translation>
  </message>
  <message>
   <source>Dark</source>
   <translation>Dunkel</translation>
  </message>
  <message>
   <source>Date</source>
   <translation>Datum</translation>
  </message>
  <message>
   <source>Decided as {label} by your rule</source>
   <translation>Durch Ihre Regel als {label} eingestuft</translation>
  </message>
  <message>
   <source>Decided by</source>
   <translation>Entschieden von</translation>
  </message>
  <message>
   <source>Delete</source>
   <translation>Löschen</translation>
  </message>
  <message>
   <source>Delete %n messages permanently?</source>
   <translation>%n Nachrichten endgültig löschen?</translation>
  </message>
  <message>
   <source>Delete all marks and imports?</source>
   <translation>Alle Markierungen und Importe löschen?</translation>
  </message>
  <message>
   <source>Delete or move some mail on the server. nbmail then continues automatically.</source>
   <translation>Löschen oder verschieben Sie Mail auf dem Server. nbmail macht dann automatisch weiter.</translation>
  </message>
  <message>
   <source>Delete permanently</source>
   <translation>Endgültig löschen</translation>
  </message>
  <message>
   <source>Delete permanently?</source>
   <translation>Endgültig löschen?</translation>
  </message>
  <message>
   <source>Delete permanently…</source>
   <translation>Endgültig löschen…</translation>
  </message>
  <message>
   <source>Delete this message permanently?</source>
   <translation>Diese Nachricht endgültig löschen?</translation>
  </message>
  <message>
   <source>Deletes all marks and imports, after a backup. You can undo this.</source>
   <translation>Löscht nach einer Sicherung alle Markierungen und Importe. Sie können das rückgängig machen.</translation>
  </message>
  <message>
   <source>Deleting messages</source>
   <translation>Nachrichten werden gelöscht</translation>
  </message>
  <message>
   <source>Demo account</source>
   <translation>Demokonto</translation>
  </message>
  <message>
   <source>Demo with sample mail. Nothing is saved.</source>
   <translation>Demo mit Beispielnachrichten. Nichts wird gespeichert.</translation>
  </message>
  <message>
   <source>Dismiss</source>
   <translation>Ausblenden</translation>
  </message>
  <message>
   <source>Don't open</source>
   <translation>Nicht öffnen</translation>
  </message>
  <message>
   <source>Doubtful marks</source>
   <translation>Zweifelhafte Markierungen</translation>
  </message>
  <message>
   <source>Doubtful marks, most doubtful first</source>
   <translation>Zweifelhafte Markierungen, die zweifelhaftesten zuerst</translation>
  </message>
  <message>
   <source>Each method is trained on your older marked messages and tested on newer ones.</source>
   <translation>Jedes Verfahren wird mit Ihren älteren markierten Nachrichten trainiert und an neueren getestet.</translation>
  </message>
  <message>
   <source>Each method learned your older filed messages and was tested on the newest fifth.</source>
   <translation>Jedes Verfahren hat Ihre älteren eingeordneten Nachrichten gelernt und wurde am neuesten Fünftel geprüft.</translation>
  </message>
  <message>
   <source>Each of them was tested without its own mark.</source>
   <translation>Jede wurde ohne ihre eigene Markierung getestet.</translation>
  </message>
  <message>
   <source>Effect of learned corrections</source>
   <translation>Wirkung der gelernten Korrekturen</translation>
  </message>
  <message>
   <source>Effect of these counts alone</source>
   <translation>Wirkung dieser Zahlen allein</translation>
  </message>
  <message>
   <source>Effect on this message's score in log-odds: +0.7 doubles the odds of spam, −0.7 halves them</source>
   <translation>Wirkung auf die Bewertung dieser Nachricht in Log-Odds: +0,7 verdoppelt das Chancenverhältnis für Spam, −0,7 halbiert es</translation>
  </message>
  <message>
   <source>Elsewhere</source>
   <translation>Anderswo</translation>
  </message>
  <message>
   <source>Email address</source>
   <translation>E-Mail-Adresse</translation>
  </message>
  <message>
   <source>Empty spam folder…</source>
   <translation>Spam-Ordner leeren…</translation>
  </message>
  <message>
   <source>End of the list</source>
   <translation>Ende der Liste</translation>
  </message>
  <message>
   <source>Enter</source>
   <translation>Enter</translation>
  </message>
  <message>
   <source>Enter &amp;password…</source>
   <translation>&amp;Passwort eingeben…</translation>
  </message>
  <message>
   <source>Enter a full email address, such as you@example.org.</source>
   <translation>Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel sie@example.org.</translation>
  </message>
  <message>
   <source>Enter a port from 1 to 65535. Most servers use 993.</source>
   <translation>Geben Sie einen Port von 1 bis 65535 ein. Die meisten Server verwenden 993.</translation>
  </message>
  <message>
   <source>Enter password…</source>
   <translation>Passwort eingeben …</translation>
  </message>
  <message>
   <source>Enter the mail server, for example imap.example.org.</source>
   <translation>Geben Sie den Mailserver ein, zum Beispiel imap.example.org.</translation>
  </message>
  <message>
   <source>Enter the password above.</source>
   <translation>Geben Sie das Passwort oben ein.</translation>
  </message>
  <message>
   <source>Enter the password again. Many providers require an app password.</source>
   <translation>Geben Sie das Passwort erneut ein. Viele Anbieter verlangen ein App-Passwort.</translation>
  </message>
  <message>
   <source>Enter the password again. nbmail never sends a saved password to a different server.</source>
   <translation>Geben Sie das Passwort erneut ein. nbmail schickt ein gespeichertes Passwort nie an einen anderen Server.</translation>
  </message>
  <message>
   <source>Enter the password, or the app password from your provider.</source>
   <translation>Geben Sie das Passwort oder das App-Passwort Ihres Anbieters ein.</translation>
  </message>
  <message>
   <source>Enter the user name. It is often the full email address.</source>
   <translation>Geben Sie den Benutzernamen ein. Oft ist das die vollständige E-Mail-Adresse.</translation>
  </message>
  <message>
   <source>Enter your client ID, or sign in without one.</source>
   <translation>Geben Sie Ihre Client-ID ein, oder melden Sie sich ohne eigene an.</translation>
  </message>
  <message>
   <source>Esc</source>
   <translation>Esc</translation>
  </message>
  <message>
   <source>Estimate</source>
   <translation>Schätzung</translation>
  </message>
  <message>
   <source>Everybody at {domain}</source>
   <translation>Alle bei {domain}</translation>
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
   <source>Exported {words} words from {messages} messages to {name}.</source>
   <translation>{words} Wörter aus {messages} Nachrichten nach {name} exportiert.</translation>
  </message>
  <message>
   <source>Exporting</source>
   <translation>Modell wird exportiert</translation>
  </message>
  <message>
   <source>Extend selection</source>
   <translation>Auswahl erweitern</translation>
  </message>
  <message>
   <source>False alarms</source>
   <translation>Fehlalarme</translation>
  </message>
  <message>
   <source>Few messages reach such a high chance until you have marked many.</source>
   <translation>Nur wenige Nachrichten erreichen eine so hohe Wahrscheinlichkeit, bevor Sie viele markiert haben.</translation>
  </message>
  <message>
   <source>File</source>
   <translation>Einordnen</translation>
  </message>
  <message>
   <source>File all above 95 %…</source>
   <translation>Alle über 95 % einordnen …</translation>
  </message>
  <message>
   <source>File messages</source>
   <translation>Nachrichten einordnen</translation>
  </message>
  <message>
   <source>Filed in</source>
   <translation>Eingeordnet in</translation>
  </message>
  <message>
   <source>Filed in {folder}</source>
   <translation>Eingeordnet in {folder}</translation>
  </message>
  <message>
   <source>Filed in {folder}, suggested {other}: {count}</source>
   <translation>Eingeordnet in {folder}, vorgeschlagen {other}: {count}</translation>
  </message>
  <message>
   <source>Fill automatically</source>
   <translation>Automatisch füllen</translation>
  </message>
  <message>
   <source>Fill {folder} automatically?</source>
   <translation>{folder} automatisch füllen?</translation>
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
   <source>First message from this sender in nbmail</source>
   <translation>Erste Nachricht dieses Absenders in nbmail</translation>
  </message>
  <message>
   <source>First right</source>
   <translation>Erster richtig</translation>
  </message>
  <message>
   <source>First you see what it would have moved in the last 30 days. Each message can be put back.</source>
   <translation>Zuerst sehen Sie, was in den letzten 30 Tagen verschoben worden wäre. Jede Nachricht lässt sich zurückholen.</translation>
  </message>
  <message>
   <source>First-time senders</source>
   <translation>Neue Absender</translation>
  </message>
  <message>
   <source>Flag</source>
   <translation>Kennzeichnen</translation>
  </message>
  <message>
   <source>Flag of %n message changed.</source>
   <translation>Kennzeichen von %n Nachricht geändert.</translation>
  </message>
  <message>
   <source>Flag, or remove the flag</source>
   <translation>Kennzeichnen oder Kennzeichen entfernen</translation>
  </message>
  <message>
   <source>Flags of %n messages changed.</source>
   <translation>Kennzeichen von %n Nachrichten geändert.</translation>
  </message>
  <message>
   <source>Folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folder against folder</source>
   <translation>Ordner gegen Ordner</translation>
  </message>
  <message>
   <source>Folder name, or parts of it</source>
   <translation>Name des Ordners oder Teile davon</translation>
  </message>
  <message>
   <source>Folder or file</source>
   <translation>Ordner oder Datei</translation>
  </message>
  <message>
   <source>Folders</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>Folders in this account</source>
   <translation>Ordner dieses Kontos</translation>
  </message>
  <message>
   <source>Folders that fill automatically</source>
   <translation>Ordner, die sich automatisch füllen</translation>
  </message>
  <message>
   <source>Folders…</source>
   <translation>Ordner …</translation>
  </message>
  <message>
   <source>Found a mail server in another domain: {host}. Confirm its name above, then sign in.</source>
   <translation>Mailserver in einer anderen Domain gefunden: {host}. Bestätigen Sie oben seinen Namen, und melden Sie sich dann an.</translation>
  </message>
  <message>
   <source>Found automatically</source>
   <translation>Wird automatisch gefunden</translation>
  </message>
  <message>
   <source>Found in</source>
   <translation>Gefunden in</translation>
  </message>
  <message>
   <source>Found in {spam} of {all_spam} spam messages and {ham} of {all_ham} good messages.</source>
   <translation>In {spam} von {all_spam} Spam-Nachrichten und {ham} von {all_ham} guten Nachrichten gefunden.</translation>
  </message>
  <message>
   <source>Found on this computer</source>
   <translation>Auf diesem Computer gefunden</translation>
  </message>
  <message>
   <source>Found your mail server: {host}. Enter your password.</source>
   <translation>Ihr Mailserver wurde gefunden: {host}. Geben Sie Ihr Passwort ein.</translation>
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
   <source>From Thunderbird, a Maildir, an mbox file or a folder of .eml files.</source>
   <translation>Aus Thunderbird, einem Maildir, einer mbox-Datei oder einem Ordner mit .eml-Dateien.</translation>
  </message>
  <message>
   <source>From now on, marking as spam moves a message to the spam folder, and marking as not spam moves it back to the inbox; Undo reverses the move. Messages you have already marked stay where they are.</source>
   <translation>Von jetzt an verschiebt eine Markierung als Spam die Nachricht in den Spam-Ordner und eine Markierung als kein Spam zurück in den Posteingang; „Rückgängig“ macht das Verschieben rückgängig. Schon markierte Nachrichten bleiben, wo sie sind.</translation>
  </message>
  <message>
   <source>Gaussian: sizes and shares only</source>
   <translation>Gauß: nur Größen und Anteile</translation>
  </message>
  <message>
   <source>Go to next message</source>
   <translation>Nächste Nachricht zeigen</translation>
  </message>
  <message>
   <source>Good</source>
   <translation>Gut</translation>
  </message>
  <message>
   <source>Good mail that could be classified as spam: upper end of the 95 % interval of the model's test</source>
   <translation>Gute Mail, die als Spam eingestuft werden könnte: oberes Ende des 95-%-Intervalls aus dem Test des Modells</translation>
  </message>
  <message>
   <source>Greek</source>
   <translation>griechisch</translation>
  </message>
  <message>
   <source>HTML</source>
   <translation>HTML</translation>
  </message>
  <message>
   <source>HTML layout</source>
   <translation>HTML-Gestaltung</translation>
  </message>
  <message>
   <source>HTML only</source>
   <translation>nur HTML</translation>
  </message>
  <message>
   <source>HTML with embedded pictures</source>
   <translation>HTML mit eingebetteten Bildern</translation>
  </message>
  <message>
   <source>Hidden text:</source>
   <translation>Verborgener Text:</translation>
  </message>
  <message>
   <source>Hide quoted text</source>
   <translation>Zitierten Text ausblenden</translation>
  </message>
  <message>
   <source>Highlight the words that decided, or stop it</source>
   <translation>Entscheidende Wörter hervorheben oder nicht mehr hervorheben</translation>
  </message>
  <message>
   <source>Highlighted words in a message</source>
   <translation>Hervorgehobene Wörter in einer Nachricht</translation>
  </message>
  <message>
   <source>History</source>
   <translation>Verlauf</translation>
  </message>
  <message>
   <source>How each line moves the score, from the starting point to the total; the vertical line is the spam threshold</source>
   <translation>Wie jede Zeile die Bewertung verschiebt, vom Ausgangswert bis zur Summe; die senkrechte Linie ist die Spam-Schwelle</translation>
  </message>
  <message>
   <source>How much more or less often each word occurs in spam than in good mail.</source>
   <translation>Wie viel häufiger oder seltener jedes Wort in Spam vorkommt als in guter Mail.</translation>
  </message>
  <message>
   <source>How strongly it points to good mail or to spam</source>
   <translation>Wie stark es auf gute Mail oder auf Spam deutet</translation>
  </message>
  <message>
   <source>I&amp;gnore word</source>
   <translation>Wort i&amp;gnorieren</translation>
  </message>
  <message>
   <source>IP address instead of a server name</source>
   <translation>IP-Adresse statt eines Servernamens</translation>
  </message>
  <message>
   <source>Icon</source>
   <translation>Symbol</translation>
  </message>
  <message>
   <source>Icon and notifications, except for spam</source>
   <translation>Symbol und Benachrichtigungen, außer bei Spam</translation>
  </message>
  <message>
   <source>Ignore in all {count} places</source>
   <translation>An allen {count} Stellen ignorieren</translation>
  </message>
  <message>
   <source>Ignore this word</source>
   <translation>Dieses Wort ignorieren</translation>
  </message>
  <message>
   <source>Immediately</source>
   <translation>Sofort</translation>
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
   <source>Import training from nbmail or another filter</source>
   <translation>Training aus nbmail oder einem anderen Filter importieren</translation>
  </message>
  <message>
   <source>Imported {words} words from {messages} messages.</source>
   <translation>{words} Wörter aus {messages} Nachrichten importiert.</translation>
  </message>
  <message>
   <source>Importing</source>
   <translation>Modell wird importiert</translation>
  </message>
  <message>
   <source>In good</source>
   <translation>In gut</translation>
  </message>
  <message>
   <source>In spam</source>
   <translation>In Spam</translation>
  </message>
  <message>
   <source>In the folder</source>
   <translation>Im Ordner</translation>
  </message>
  <message>
   <source>In the open message it adds {amount}, because its number of occurrences and the other words also matter.</source>
   <translation>In der offenen Nachricht trägt es {amount} bei, weil auch die Zahl seiner Vorkommen und die anderen Wörter zählen.</translation>
  </message>
  <message>
   <source>In the open message it adds {amount}, because the weights of all words are averaged.</source>
   <translation>In der offenen Nachricht trägt es {amount} bei, weil die Gewichte aller Wörter gemittelt werden.</translation>
  </message>
  <message>
   <source>In use: {method}</source>
   <translation>In Verwendung: {method}</translation>
  </message>
  <message>
   <source>In {folder}</source>
   <translation>In {folder}</translation>
  </message>
  <message>
   <source>In {list}</source>
   <translation>In: {list}</translation>
  </message>
  <message>
   <source>Inbox</source>
   <translation>Posteingang</translation>
  </message>
  <message>
   <source>Install that version or a later one. Your data was not changed.</source>
   <translation>Installieren Sie diese oder eine spätere Version. Ihre Daten sind unverändert.</translation>
  </message>
  <message>
   <source>It agrees with {right} of your {all} marks: {spam_right} of {spam} spam and {ham_right} of {ham} not spam.</source>
   <translation>Es stimmt mit {right} Ihrer {all} Markierungen überein: {spam_right} von {spam} Spam und {ham_right} von {ham} kein Spam.</translation>
  </message>
  <message>
   <source>It begins with even odds of spam and good mail.</source>
   <translation>Sie beginnt bei gleichen Chancen für Spam und gute E-Mails.</translation>
  </message>
  <message>
   <source>It begins with the estimated share of spam in your mail, {share}.</source>
   <translation>Sie beginnt mit dem geschätzten Anteil von Spam an Ihren E-Mails: {share}.</translation>
  </message>
  <message>
   <source>It begins with the share of spam among the learned messages, {share}.</source>
   <translation>Sie beginnt mit dem Anteil von Spam an den gelernten Nachrichten: {share}.</translation>
  </message>
  <message>
   <source>It caught {caught} of the spam with {lost} false alarms.</source>
   <translation>Vom Spam wurden {caught} erkannt, bei {lost} Fehlalarmen.</translation>
  </message>
  <message>
   <source>It has no weight yet.</source>
   <translation>Es hat noch kein Gewicht.</translation>
  </message>
  <message>
   <source>It may have been moved or deleted by another program.</source>
   <translation>Es wurde vielleicht von einem anderen Programm verschoben oder gelöscht.</translation>
  </message>
  <message>
   <source>It was imported before or exported from here, so importing it would count everything twice. Nothing was changed.</source>
   <translation>Es wurde schon importiert oder von hier exportiert; ein Import würde alles doppelt zählen. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>It was made with another method, so only its word counts would be imported.</source>
   <translation>Sie entstand mit einem anderen Verfahren, daher würden nur ihre Worthäufigkeiten importiert.</translation>
  </message>
  <message>
   <source>Its address is not valid.</source>
   <translation>Seine Adresse ist ungültig.</translation>
  </message>
  <message>
   <source>Its chance of spam was {percent} when it arrived.</source>
   <translation>Beim Eintreffen war die Spam-Wahrscheinlichkeit {percent}.</translation>
  </message>
  <message>
   <source>Its mail is not deleted from the server or your disk. nbmail keeps what it has learned.</source>
   <translation>Seine Mail wird weder auf dem Server noch auf Ihrem Datenträger gelöscht. nbmail behält, was es gelernt hat.</translation>
  </message>
  <message>
   <source>Its name contains non-English letters, which can imitate a name you know.</source>
   <translation>Der Name enthält Buchstaben, die es im Englischen nicht gibt und die einen bekannten Namen nachahmen können.</translation>
  </message>
  <message>
   <source>Its registered domain is {owner}.</source>
   <translation>Die registrierte Domain ist {owner}.</translation>
  </message>
  <message>
   <source>Its weight is {amount} and points to {side}: {ratio} from counts, {learned} from learned corrections.</source>
   <translation>Sein Gewicht ist {amount} und deutet auf {side}: {ratio} aus Häufigkeiten, {learned} aus gelernten Korrekturen.</translation>
  </message>
  <message>
   <source>Its words also count one by one.</source>
   <translation>Ihre Wörter zählen auch einzeln.</translation>
  </message>
  <message>
   <source>Keyboard shortcuts</source>
   <translation>Tastenkürzel</translation>
  </message>
  <message>
   <source>Known for large providers</source>
   <translation>Bei großen Anbietern bekannt</translation>
  </message>
  <message>
   <source>Known provider {place}</source>
   <translation>Bekannter Anbieter {place}</translation>
  </message>
  <message>
   <source>Language</source>
   <translation>Sprache</translation>
  </message>
  <message>
   <source>Learn all messages as not spam</source>
   <translation>Alle Nachrichten als kein Spam lernen</translation>
  </message>
  <message>
   <source>Learn all messages as spam</source>
   <translation>Alle Nachrichten als Spam lernen</translation>
  </message>
  <message>
   <source>Learn as</source>
   <translation>Lernen als</translation>
  </message>
  <message>
   <source>Learn {folder} as</source>
   <translation>{folder} lernen als</translation>
  </message>
  <message>
   <source>Learned as {label} from a folder</source>
   <translation>Aus einem Ordner als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned as {label} from mail files</source>
   <translation>Aus Maildateien als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned as {label} from the folder “{folder}”</source>
   <translation>Aus dem Ordner „{folder}“ als {label} gelernt</translation>
  </message>
  <message>
   <source>Learned between {first} and {last}</source>
   <translation>Zwischen {first} und {last} gelernt</translation>
  </message>
  <message>
   <source>Learned: {parts}</source>
   <translation>Gelernt: {parts}</translation>
  </message>
  <message>
   <source>Learned: {servers}</source>
   <translation>Gelernt: {servers}</translation>
  </message>
  <message>
   <source>Learning from folders in {account} is paused: {folders}</source>
   <translation>Das Lernen aus Ordnern in {account} ist angehalten: {folders}</translation>
  </message>
  <message>
   <source>Learning from marked messages: {done} of {total}</source>
   <translation>Markierte Nachrichten werden gelernt: {done} von {total}</translation>
  </message>
  <message>
   <source>Learning from your folders. The chance of spam follows.</source>
   <translation>Lernt aus Ihren Ordnern. Die Spam-Wahrscheinlichkeit folgt.</translation>
  </message>
  <message>
   <source>Learning what belongs in {folder}: {done} of {total}</source>
   <translation>nbmail lernt, was nach {folder} gehört: {done} von {total}</translation>
  </message>
  <message>
   <source>Learning {folder}</source>
   <translation>{folder} wird gelernt</translation>
  </message>
  <message>
   <source>Learning {folder} as not spam: {done} of {total}</source>
   <translation>{folder} wird als kein Spam gelernt: {done} von {total}</translation>
  </message>
  <message>
   <source>Learning {folder} as spam: {done} of {total}</source>
   <translation>{folder} wird als Spam gelernt: {done} von {total}</translation>
  </message>
  <message>
   <source>Least certain</source>
   <translation>Am wenigsten sicher</translation>
  </message>
  <message>
   <source>Leave empty to keep the current one</source>
   <translation>Leer lassen, um das bisherige zu behalten</translation>
  </message>
  <message>
   <source>Leave search field</source>
   <translation>Suchfeld verlassen</translation>
  </message>
  <message>
   <source>Let nbmail move spam out of the inbox</source>
   <translation>nbmail Spam aus dem Posteingang verschieben lassen</translation>
  </message>
  <message>
   <source>Light</source>
   <translation>Hell</translation>
  </message>
  <message>
   <source>List the messages whose folder is nearly sure</source>
   <translation>Nachrichten auflisten, deren Ordner so gut wie sicher ist</translation>
  </message>
  <message>
   <source>Listing folders…</source>
   <translation>Ordner werden abgerufen …</translation>
  </message>
  <message>
   <source>Lists and folders</source>
   <translation>Listen und Ordner</translation>
  </message>
  <message>
   <source>Load full message</source>
   <translation>Vollständige Nachricht laden</translation>
  </message>
  <message>
   <source>Load pictures once</source>
   <translation>Bilder einmal laden</translation>
  </message>
  <message>
   <source>Loading folders…</source>
   <translation>Ordner werden geladen …</translation>
  </message>
  <message>
   <source>Loading history…</source>
   <translation>Verlauf wird geladen …</translation>
  </message>
  <message>
   <source>Loading mail…</source>
   <translation>Mail wird geladen …</translation>
  </message>
  <message>
   <source>Loading pictures: {done} of {total}…</source>
   <translation>Bilder werden geladen: {done} von {total} …</translation>
  </message>
  <message>
   <source>Loading the full message…</source>
   <translation>Die vollständige Nachricht wird geladen …</translation>
  </message>
  <message>
   <source>Loading the message again…</source>
   <translation>Die Nachricht wird erneut geladen …</translation>
  </message>
  <message>
   <source>Loading them tells the sender when you read this, and your internet address.</source>
   <translation>Beim Laden erfährt der Absender, wann Sie dies lesen, und Ihre Internetadresse.</translation>
  </message>
  <message>
   <source>Loading words…</source>
   <translation>Wörter werden geladen …</translation>
  </message>
  <message>
   <source>Log-ratio</source>
   <translation>Log-Quotient</translation>
  </message>
  <message>
   <source>Log-ratio of its frequency in spam and in good mail, from counts</source>
   <translation>Logarithmus des Quotienten seiner Häufigkeit in Spam und in guten E-Mails, aus den Zahlen</translation>
  </message>
  <message>
   <source>Log-ratio {ratio}: in {spam} spam and {ham} good messages; adds {amount} here. Click for details.</source>
   <translation>Log-Quotient {ratio}: in {spam} Spam- und {ham} guten Nachrichten; trägt hier {amount} bei. Klicken Sie für Einzelheiten.</translation>
  </message>
  <message>
   <source>Logistic regression</source>
   <translation>Logistische Regression</translation>
  </message>
  <message>
   <source>Looking for mail in {path}…</source>
   <translation>Mail in {path} wird gesucht …</translation>
  </message>
  <message>
   <source>Looking for your mail server. Your user name and password are not sent.</source>
   <translation>Ihr Mailserver wird gesucht. Benutzername und Passwort werden nicht gesendet.</translation>
  </message>
  <message>
   <source>Looking through the inbox…</source>
   <translation>Posteingang wird durchgesehen…</translation>
  </message>
  <message>
   <source>M&amp;essage</source>
   <translation>&amp;Nachricht</translation>
  </message>
  <message>
   <source>MIME version</source>
   <translation>MIME-Version</translation>
  </message>
  <message>
   <source>Mail account</source>
   <translation>Mailkonto</translation>
  </message>
  <message>
   <source>Mail from files</source>
   <translation>Mail aus Dateien</translation>
  </message>
  <message>
   <source>Mail from other programs…</source>
   <translation>Mail aus anderen Programmen …</translation>
  </message>
  <message>
   <source>Mail location</source>
   <translation>Speicherort der Mail</translation>
  </message>
  <message>
   <source>Mail on this computer</source>
   <translation>Mail auf diesem Computer</translation>
  </message>
  <message>
   <source>Mail servers whose sender checks nbmail trusts, separated by commas</source>
   <translation>Mailserver, deren Absenderprüfungen nbmail vertraut, durch Kommas getrennt</translation>
  </message>
  <message>
   <source>Mail that arrives from now on goes into a ticked folder if that is suggested with at least 99 %. Spam, flagged and answered messages are never filed. nbmail learns nothing from it until you confirm or correct it.</source>
   <translation>Post, die ab jetzt eintrifft, kommt in einen angekreuzten Ordner, wenn er mit mindestens 99 % vorgeschlagen wird. Spam sowie gekennzeichnete und beantwortete Nachrichten werden nie eingeordnet. nbmail lernt daraus nichts, bis Sie es bestätigen oder korrigieren.</translation>
  </message>
  <message>
   <source>Manual</source>
   <translation>Handbuch</translation>
  </message>
  <message>
   <source>Mark</source>
   <translation>Markierung</translation>
  </message>
  <message>
   <source>Mark %n more good message</source>
   <translation>Markieren Sie %n weitere gute Nachricht</translation>
  </message>
  <message>
   <source>Mark %n more good messages</source>
   <translation>Markieren Sie %n weitere gute Nachrichten</translation>
  </message>
  <message>
   <source>Mark %n more spam message</source>
   <translation>Markieren Sie %n weitere Spam-Nachricht</translation>
  </message>
  <message>
   <source>Mark %n more spam messages</source>
   <translation>Markieren Sie %n weitere Spam-Nachrichten</translation>
  </message>
  <message>
   <source>Mark a few messages. nbmail learns from each mark immediately and shows the reasons for every verdict.</source>
   <translation>Markieren Sie einige Nachrichten. nbmail lernt sofort aus jeder Markierung und zeigt zu jeder Einstufung die Gründe.</translation>
  </message>
  <message>
   <source>Mark all as read</source>
   <translation>Alle als gelesen markieren</translation>
  </message>
  <message>
   <source>Mark as not spam</source>
   <translation>Als kein Spam markieren</translation>
  </message>
  <message>
   <source>Mark as read or unread</source>
   <translation>Als gelesen oder ungelesen markieren</translation>
  </message>
  <message>
   <source>Mark as spam</source>
   <translation>Als Spam markieren</translation>
  </message>
  <message>
   <source>Mark cleared.</source>
   <translation>Markierung entfernt.</translation>
  </message>
  <message>
   <source>Mark it as not spam?</source>
   <translation>Als kein Spam markieren?</translation>
  </message>
  <message>
   <source>Mark it as spam?</source>
   <translation>Als Spam markieren?</translation>
  </message>
  <message>
   <source>Mark more messages to get a chance of spam.</source>
   <translation>Markieren Sie mehr Nachrichten, um eine Spam-Wahrscheinlichkeit zu erhalten.</translation>
  </message>
  <message>
   <source>Mark more spam and more good messages, then try again.</source>
   <translation>Markieren Sie mehr Spam und mehr gute Nachrichten, und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>Mark opened messages as read</source>
   <translation>Geöffnete als gelesen markieren</translation>
  </message>
  <message>
   <source>Mark some good messages too: only spam is learned so far</source>
   <translation>Markieren Sie auch einige gute Nachrichten: Bisher ist nur Spam gelernt</translation>
  </message>
  <message>
   <source>Mark some messages first to see how well this model fits your mail.</source>
   <translation>Markieren Sie zuerst einige Nachrichten, um zu sehen, wie gut dieses Modell zu Ihrer Mail passt.</translation>
  </message>
  <message>
   <source>Mark some spam and some good messages first.</source>
   <translation>Markieren Sie zuerst einige Spam- und einige gute Nachrichten.</translation>
  </message>
  <message>
   <source>Mark some spam too: only good messages are learned so far</source>
   <translation>Markieren Sie auch etwas Spam: Bisher sind nur gute Nachrichten gelernt</translation>
  </message>
  <message>
   <source>Mark them as not spam?</source>
   <translation>Als kein Spam markieren?</translation>
  </message>
  <message>
   <source>Mark them as spam?</source>
   <translation>Als Spam markieren?</translation>
  </message>
  <message>
   <source>Mark unsure messages one at a time</source>
   <translation>Unsichere Nachrichten einzeln markieren</translation>
  </message>
  <message>
   <source>Marked</source>
   <translation>Markiert</translation>
  </message>
  <message>
   <source>Marked as {label} by an import</source>
   <translation>Durch einen Import als {label} markiert</translation>
  </message>
  <message>
   <source>Marked as {label} by an unknown source</source>
   <translation>Aus unbekannter Quelle als {label} markiert</translation>
  </message>
  <message>
   <source>Marked as {label} by another mail program</source>
   <translation>Von einem anderen Mailprogramm als {label} markiert</translation>
  </message>
  <message>
   <source>Marked as {name}.</source>
   <translation>Als {name} markiert.</translation>
  </message>
  <message>
   <source>Marked as: {label}</source>
   <translation>Markiert als: {label}</translation>
  </message>
  <message>
   <source>Marking it as not spam would change %n other verdict.</source>
   <translation>Als kein Spam markiert, würde %n andere neu eingestuft.</translation>
  </message>
  <message>
   <source>Marking it as not spam would change %n other verdicts.</source>
   <translation>Als kein Spam markiert, würden %n andere neu eingestuft.</translation>
  </message>
  <message>
   <source>Marking it as spam would change %n other verdict.</source>
   <translation>Als Spam markiert, würde %n andere neu eingestuft.</translation>
  </message>
  <message>
   <source>Marking it as spam would change %n other verdicts.</source>
   <translation>Als Spam markiert, würden %n andere neu eingestuft.</translation>
  </message>
  <message>
   <source>Marking messages</source>
   <translation>Nachrichten werden markiert</translation>
  </message>
  <message>
   <source>Marks of missing messages are restored when the messages arrive.</source>
   <translation>Markierungen fehlender Nachrichten werden wiederhergestellt, sobald die Nachrichten eintreffen.</translation>
  </message>
  <message>
   <source>Marks, newest first</source>
   <translation>Markierungen, neueste zuerst</translation>
  </message>
  <message>
   <source>Measured on your marked messages, each tested without its own mark.</source>
   <translation>An Ihren markierten Nachrichten gemessen, jede ohne ihre eigene Markierung getestet.</translation>
  </message>
  <message>
   <source>Measured only on scores calculated without the message's own mark.</source>
   <translation>Gemessen nur an Bewertungen, die ohne die eigene Markierung der Nachricht entstanden.</translation>
  </message>
  <message>
   <source>Measuring accuracy…</source>
   <translation>Genauigkeit wird gemessen …</translation>
  </message>
  <message>
   <source>Message archived.</source>
   <translation>Nachricht archiviert.</translation>
  </message>
  <message>
   <source>Message deleted permanently.</source>
   <translation>Nachricht endgültig gelöscht.</translation>
  </message>
  <message>
   <source>Message moved to its suggested folder.</source>
   <translation>Nachricht in den vorgeschlagenen Ordner verschoben.</translation>
  </message>
  <message>
   <source>Message moved to the trash.</source>
   <translation>Nachricht in den Papierkorb verschoben.</translation>
  </message>
  <message>
   <source>Message moved to {folder}.</source>
   <translation>Nachricht nach {folder} verschoben.</translation>
  </message>
  <message>
   <source>Message text</source>
   <translation>Nachrichtentext</translation>
  </message>
  <message>
   <source>Messages</source>
   <translation>Nachrichten</translation>
  </message>
  <message>
   <source>Messages that are there now stay there.</source>
   <translation>Nachrichten, die jetzt dort sind, bleiben dort.</translation>
  </message>
  <message>
   <source>Messages that arrive in the meantime stay. You can't undo this.</source>
   <translation>Nachrichten, die inzwischen ankommen, bleiben. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <source>Messages that other mail programs move to the spam folder or out of it</source>
   <translation>Nachrichten, die andere Mailprogramme in den Spam-Ordner oder aus ihm verschieben</translation>
  </message>
  <message>
   <source>Messages that would move</source>
   <translation>Nachrichten, die verschoben würden</translation>
  </message>
  <message>
   <source>Messages to file</source>
   <translation>Einzuordnende Nachrichten</translation>
  </message>
  <message>
   <source>Messages with this word</source>
   <translation>Nachrichten mit diesem Wort</translation>
  </message>
  <message>
   <source>Method</source>
   <translation>Verfahren</translation>
  </message>
  <message>
   <source>Methods</source>
   <translation>Verfahren</translation>
  </message>
  <message>
   <source>Methods compared on your folders</source>
   <translation>Verfahren im Vergleich an Ihren Ordnern</translation>
  </message>
  <message>
   <source>Missed spam</source>
   <translation>Übersehener Spam</translation>
  </message>
  <message>
   <source>Missing: CONDSTORE. nbmail compares the flags of all messages to notice changes by other programs. Automatic sorting waits five seconds before each move.</source>
   <translation>Fehlt: CONDSTORE. Um Änderungen anderer Programme zu bemerken, vergleicht nbmail die Kennzeichen aller Nachrichten. Automatisches Sortieren wartet vor jedem Verschieben fünf Sekunden.</translation>
  </message>
  <message>
   <source>Missing: MOVE. nbmail copies a message to the other folder and then deletes the original.</source>
   <translation>Fehlt: MOVE. nbmail kopiert eine Nachricht in den anderen Ordner und löscht danach das Original.</translation>
  </message>
  <message>
   <source>Missing: SPECIAL-USE. nbmail recognizes the spam folder by its name only.</source>
   <translation>Fehlt: SPECIAL-USE. nbmail erkennt den Spam-Ordner nur an seinem Namen.</translation>
  </message>
  <message>
   <source>Missing: keywords. Your marks stay on this computer, and only one computer can sort automatically.</source>
   <translation>Fehlt: Schlüsselwörter. Ihre Markierungen bleiben auf diesem Computer, und nur ein Computer kann automatisch sortieren.</translation>
  </message>
  <message>
   <source>Mistaken for</source>
   <translation>Verwechselt mit</translation>
  </message>
  <message>
   <source>Model files (*.nbmodel *.txt *.csv *.dat *.db)</source>
   <translation>Modelldateien (*.nbmodel *.txt *.csv *.dat *.db)</translation>
  </message>
  <message>
   <source>Model files and reset</source>
   <translation>Modell verwalten</translation>
  </message>
  <message>
   <source>Most common</source>
   <translation>Häufigste</translation>
  </message>
  <message>
   <source>Most often in good mail</source>
   <translation>Häufigste in guter Mail</translation>
  </message>
  <message>
   <source>Most often in spam</source>
   <translation>Häufigste in Spam</translation>
  </message>
  <message>
   <source>Most useful first</source>
   <translation>Nützlichste zuerst</translation>
  </message>
  <message>
   <source>Move %n message back to the inbox?</source>
   <translation>%n Nachricht in den Posteingang zurückholen?</translation>
  </message>
  <message>
   <source>Move %n message to its suggested folder?</source>
   <translation>%n Nachricht in den vorgeschlagenen Ordner verschieben?</translation>
  </message>
  <message>
   <source>Move %n messages back to the inbox?</source>
   <translation>%n Nachrichten in den Posteingang zurückholen?</translation>
  </message>
  <message>
   <source>Move %n messages to their suggested folders?</source>
   <translation>%n Nachrichten in die vorgeschlagenen Ordner verschieben?</translation>
  </message>
  <message>
   <source>Move back</source>
   <translation>Zurückholen</translation>
  </message>
  <message>
   <source>Move messages on the mail server when I mark them</source>
   <translation>Nachrichten auf dem Mailserver verschieben, wenn ich sie markiere</translation>
  </message>
  <message>
   <source>Move messages on the server?</source>
   <translation>Nachrichten auf dem Server verschieben?</translation>
  </message>
  <message>
   <source>Move to</source>
   <translation>Verschieben nach</translation>
  </message>
  <message>
   <source>Move to a folder</source>
   <translation>In einen Ordner verschieben</translation>
  </message>
  <message>
   <source>Move to first suggestion</source>
   <translation>Zum ersten Vorschlag verschieben</translation>
  </message>
  <message>
   <source>Move to second suggestion</source>
   <translation>Zum zweiten Vorschlag verschieben</translation>
  </message>
  <message>
   <source>Move to the archive</source>
   <translation>Ins Archiv verschieben</translation>
  </message>
  <message>
   <source>Move to the trash</source>
   <translation>In den Papierkorb verschieben</translation>
  </message>
  <message>
   <source>Move to third suggestion</source>
   <translation>Zum dritten Vorschlag verschieben</translation>
  </message>
  <message>
   <source>Move to {folder}</source>
   <translation>Nach {folder} verschieben</translation>
  </message>
  <message>
   <source>Move to {folder} (key {key}). The key E shows the reasons.</source>
   <translation>Nach {folder} verschieben (Taste {key}). Die Taste E zeigt die Gründe.</translation>
  </message>
  <message>
   <source>Move to {folder}, {chance}, key {key}</source>
   <translation>Nach {folder} verschieben, {chance}, Taste {key}</translation>
  </message>
  <message>
   <source>Move to:</source>
   <translation>Verschieben nach:</translation>
  </message>
  <message>
   <source>Move to…</source>
   <translation>Verschieben nach…</translation>
  </message>
  <message>
   <source>Move “{subject}” to {folder}</source>
   <translation>„{subject}“ nach {folder} verschieben</translation>
  </message>
  <message>
   <source>Moved away from {folder}</source>
   <translation>Aus {folder} wegverschoben</translation>
  </message>
  <message>
   <source>Moved elsewhere</source>
   <translation>Anderswo verschoben</translation>
  </message>
  <message>
   <source>Moved to spam folder</source>
   <translation>Nach Spam verschoben</translation>
  </message>
  <message>
   <source>Moving messages</source>
   <translation>Nachrichten werden verschoben</translation>
  </message>
  <message>
   <source>Moving…</source>
   <translation>Wird verschoben…</translation>
  </message>
  <message>
   <source>Multinomial: word frequency</source>
   <translation>Multinomial: Worthäufigkeit</translation>
  </message>
  <message>
   <source>Name</source>
   <translation>Name</translation>
  </message>
  <message>
   <source>Near the spam threshold</source>
   <translation>Nahe der Spam-Schwelle</translation>
  </message>
  <message>
   <source>Nearest to the spam threshold</source>
   <translation>Der Spam-Schwelle am nächsten</translation>
  </message>
  <message>
   <source>Never</source>
   <translation>Nie</translation>
  </message>
  <message>
   <source>Never learn</source>
   <translation>Nie lernen</translation>
  </message>
  <message>
   <source>Never lose good mail</source>
   <translation>Nie gute E-Mails verlieren</translation>
  </message>
  <message>
   <source>Next message</source>
   <translation>Nächste Nachricht</translation>
  </message>
  <message>
   <source>Next, review unsure messages. nbmail shows the most useful ones first.</source>
   <translation>Gehen Sie als Nächstes die unsicheren Nachrichten durch. nbmail zeigt die nützlichsten zuerst.</translation>
  </message>
  <message>
   <source>No</source>
   <translation>Nein</translation>
  </message>
  <message>
   <source>No doubtful marks found.</source>
   <translation>Keine zweifelhaften Markierungen gefunden.</translation>
  </message>
  <message>
   <source>No first messages of a sender here.</source>
   <translation>Keine ersten Nachrichten neuer Absender.</translation>
  </message>
  <message>
   <source>No folder can be filled automatically yet.</source>
   <translation>Noch kann kein Ordner automatisch gefüllt werden.</translation>
  </message>
  <message>
   <source>No folder has this name.</source>
   <translation>Kein Ordner hat diesen Namen.</translation>
  </message>
  <message>
   <source>No longer for this sender</source>
   <translation>Nicht mehr für diesen Absender</translation>
  </message>
  <message>
   <source>No mail found in these files.</source>
   <translation>In diesen Dateien wurde keine Mail gefunden.</translation>
  </message>
  <message>
   <source>No mail found in this folder or file.</source>
   <translation>In diesem Ordner oder dieser Datei wurde keine Mail gefunden.</translation>
  </message>
  <message>
   <source>No mail server found. Enter it above; your provider lists it in its help pages under “IMAP”.</source>
   <translation>Kein Mailserver gefunden. Geben Sie ihn oben ein; Ihr Anbieter nennt ihn in seiner Hilfe unter „IMAP“.</translation>
  </message>
  <message>
   <source>No marked messages here yet.</source>
   <translation>Hier gibt es noch keine markierten Nachrichten.</translation>
  </message>
  <message>
   <source>No marks yet. Every mark will be listed here.</source>
   <translation>Noch keine Markierungen. Jede Markierung wird hier aufgeführt.</translation>
  </message>
  <message>
   <source>No message in the inbox has a folder that is sure enough.</source>
   <translation>Für keine Nachricht im Posteingang ist ein Ordner sicher genug.</translation>
  </message>
  <message>
   <source>No messages here yet.</source>
   <translation>Hier sind noch keine Nachrichten.</translation>
  </message>
  <message>
   <source>No messages match “{words}”.</source>
   <translation>Keine Nachrichten passen zu „{words}“.</translation>
  </message>
  <message>
   <source>No other program on this computer opens messages.</source>
   <translation>Kein anderes Programm auf diesem Computer öffnet Nachrichten.</translation>
  </message>
  <message>
   <source>No phrases. Type one in the search field, as in “be your own boss”, and add it.</source>
   <translation>Keine Wendungen. Geben Sie eine ins Suchfeld ein, zum Beispiel „seien Sie Ihr eigener Chef“, und fügen Sie sie hinzu.</translation>
  </message>
  <message>
   <source>No rule</source>
   <translation>Keine Regel</translation>
  </message>
  <message>
   <source>No single word decides: many words agree.</source>
   <translation>Kein einzelnes Wort entscheidet: Viele Wörter stimmen überein.</translation>
  </message>
  <message>
   <source>No single word decides: the verdict would change only without {count} words.</source>
   <translation>Kein einzelnes Wort entscheidet: Die Einstufung würde sich erst ohne {count} Wörter ändern.</translation>
  </message>
  <message>
   <source>No spam here.</source>
   <translation>Hier gibt es keinen Spam.</translation>
  </message>
  <message>
   <source>No suggested folder has mail yet. Choose folders in the settings of an account.</source>
   <translation>Noch enthält kein vorgeschlagener Ordner Nachrichten. Wählen Sie Ordner in den Einstellungen eines Kontos.</translation>
  </message>
  <message>
   <source>No suggestion was made yet: that takes two folders with mail.</source>
   <translation>Es gibt noch keinen Vorschlag: Dazu braucht es zwei Ordner mit Nachrichten.</translation>
  </message>
  <message>
   <source>No unread messages here.</source>
   <translation>Hier gibt es keine ungelesenen Nachrichten.</translation>
  </message>
  <message>
   <source>No unsure messages here.</source>
   <translation>Hier gibt es keine unsicheren Nachrichten.</translation>
  </message>
  <message>
   <source>No unsure messages left</source>
   <translation>Keine unsicheren Nachrichten mehr</translation>
  </message>
  <message>
   <source>No words are ignored. An ignored word doesn't affect any score.</source>
   <translation>Keine Wörter werden ignoriert. Ein ignoriertes Wort wirkt sich auf keine Bewertung aus.</translation>
  </message>
  <message>
   <source>No words match.</source>
   <translation>Keine passenden Wörter.</translation>
  </message>
  <message>
   <source>No words yet. Mark some messages first.</source>
   <translation>Noch keine Wörter. Markieren Sie zuerst einige Nachrichten.</translation>
  </message>
  <message>
   <source>None (others can read everything)</source>
   <translation>Keine (andere können alles mitlesen)</translation>
  </message>
  <message>
   <source>None known</source>
   <translation>Keiner bekannt</translation>
  </message>
  <message>
   <source>Not found.</source>
   <translation>Nicht gefunden.</translation>
  </message>
  <message>
   <source>Not spam</source>
   <translation>Kein Spam</translation>
  </message>
  <message>
   <source>Not started</source>
   <translation>Nicht gestartet</translation>
  </message>
  <message>
   <source>Not unsubscribed. {reason}</source>
   <translation>Nicht abgemeldet. {reason}</translation>
  </message>
  <message>
   <source>Nothing can be saved until you free some space. Then try again.</source>
   <translation>Bis Sie Platz schaffen, kann nichts gespeichert werden. Versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>Nothing changed: all marks already had that state.</source>
   <translation>Nichts wurde geändert: Alle Markierungen hatten schon diesen Stand.</translation>
  </message>
  <message>
   <source>Nothing is moved. The list shows what would be moved.</source>
   <translation>Nichts wird verschoben. Die Liste zeigt, was verschoben würde.</translation>
  </message>
  <message>
   <source>Nothing that nbmail needs is missing.</source>
   <translation>Es fehlt nichts, was nbmail braucht.</translation>
  </message>
  <message>
   <source>Nothing to put back</source>
   <translation>Nichts zurückzuholen</translation>
  </message>
  <message>
   <source>Nothing was deleted: only messages in Trash and Spam can be deleted permanently.</source>
   <translation>Es wurde nichts gelöscht: Nur Nachrichten im Papierkorb und im Spam-Ordner lassen sich endgültig löschen.</translation>
  </message>
  <message>
   <source>Nothing was moved. The messages are there already, or their account was never connected.</source>
   <translation>Es wurde nichts verschoben. Die Nachrichten sind schon dort, oder ihr Konto war noch nie verbunden.</translation>
  </message>
  <message>
   <source>Nothing was sorted in the last 7 days.</source>
   <translation>In den letzten 7 Tagen wurde nichts sortiert.</translation>
  </message>
  <message>
   <source>Number of good messages that contain it</source>
   <translation>Zahl der guten Nachrichten, die es enthalten</translation>
  </message>
  <message>
   <source>Number of spam messages that contain it</source>
   <translation>Zahl der Spam-Nachrichten, die es enthalten</translation>
  </message>
  <message>
   <source>Number of times this message contains it</source>
   <translation>Wie oft diese Nachricht es enthält</translation>
  </message>
  <message>
   <source>Of %n suggestion above 99 %, {found} was right.</source>
   <translation>Von %n Vorschlag über 99 % war {found} richtig.</translation>
  </message>
  <message>
   <source>Of %n suggestions above 99 %, {found} were right.</source>
   <translation>Von %n Vorschlägen über 99 % waren {found} richtig.</translation>
  </message>
  <message>
   <source>Of the {count} tested messages with the nearest scores, all were spam.</source>
   <translation>Von den {count} getesteten Nachrichten mit den nächstliegenden Bewertungen waren alle Spam.</translation>
  </message>
  <message>
   <source>Of the {count} tested messages with the nearest scores, none was spam.</source>
   <translation>Von den {count} getesteten Nachrichten mit den nächstliegenden Bewertungen war keine Spam.</translation>
  </message>
  <message>
   <source>Of the {count} tested messages with the nearest scores, one was spam.</source>
   <translation>Von den {count} getesteten Nachrichten mit den nächstliegenden Bewertungen war eine Spam.</translation>
  </message>
  <message>
   <source>Of the {count} tested messages with the nearest scores, {spam} were spam.</source>
   <translation>Von den {count} getesteten Nachrichten mit den nächstliegenden Bewertungen waren {spam} Spam.</translation>
  </message>
  <message>
   <source>Of {all} messages of the last 30 days in the inbox, {moving} would have gone to {folder}.</source>
   <translation>Von {all} Nachrichten der letzten 30 Tage im Posteingang wären {moving} nach {folder} gekommen.</translation>
  </message>
  <message>
   <source>Of {all} messages of the last 30 days, {moving} would have been moved. You marked {ham} of them as not spam.</source>
   <translation>Von {all} Nachrichten der letzten 30 Tage wären {moving} verschoben worden. {ham} davon haben Sie als kein Spam markiert.</translation>
  </message>
  <message>
   <source>Of {count} past suggestions above 95 %, {found} were right. You can undo this as one step.</source>
   <translation>Von {count} früheren Vorschlägen über 95 % waren {found} richtig. Sie können dies in einem Schritt rückgängig machen.</translation>
  </message>
  <message>
   <source>Off</source>
   <translation>Aus</translation>
  </message>
  <message>
   <source>Offline, reconnecting…</source>
   <translation>Offline, Verbindung wird wiederhergestellt …</translation>
  </message>
  <message>
   <source>Offline, retrying in {span}</source>
   <translation>Offline, neuer Versuch in {span}</translation>
  </message>
  <message>
   <source>On a mail server (IMAP)</source>
   <translation>Auf einem Mailserver (IMAP)</translation>
  </message>
  <message>
   <source>On mail it hadn't learned: {before} → {after} of spam caught</source>
   <translation>Bei E-Mails, die das Modell nicht gelernt hatte: {before} → {after} vom Spam erkannt</translation>
  </message>
  <message>
   <source>On mail it hadn't learned: {caught} of spam caught, {lost} of {ham} good messages lost.</source>
   <translation>Bei E-Mails, die das Modell nicht gelernt hatte: {caught} vom Spam erkannt, {lost} von {ham} guten Nachrichten verloren.</translation>
  </message>
  <message>
   <source>On mail it hadn't learned: {share} of spam caught</source>
   <translation>Bei E-Mails, die das Modell nicht gelernt hatte: {share} vom Spam erkannt</translation>
  </message>
  <message>
   <source>On this computer (Thunderbird, Maildir, mbox, folder of .eml files)</source>
   <translation>Auf diesem Computer (Thunderbird, Maildir, mbox, Ordner mit .eml-Dateien)</translation>
  </message>
  <message>
   <source>Only &amp;ignored words</source>
   <translation>Nur &amp;ignorierte Wörter</translation>
  </message>
  <message>
   <source>Only &amp;phrases</source>
   <translation>Nur &amp;Wendungen</translation>
  </message>
  <message>
   <source>Only for your own server</source>
   <translation>Nur für einen eigenen Server</translation>
  </message>
  <message>
   <source>Only if your provider gives one</source>
   <translation>Nur wenn Ihr Anbieter eines vergibt</translation>
  </message>
  <message>
   <source>Only messages in Trash and Spam are deleted. You can't undo this.</source>
   <translation>Gelöscht werden nur Nachrichten im Papierkorb und im Spam-Ordner. Das lässt sich nicht rückgängig machen.</translation>
  </message>
  <message>
   <source>Only on this computer (server without keywords)</source>
   <translation>Nur auf diesem Computer (Server ohne Schlüsselwörter)</translation>
  </message>
  <message>
   <source>Only show</source>
   <translation>Nur anzeigen</translation>
  </message>
  <message>
   <source>Only the beginning of this long page is shown.</source>
   <translation>Nur der Anfang dieser langen Seite wird angezeigt.</translation>
  </message>
  <message>
   <source>Only the first part of this large message is loaded.</source>
   <translation>Nur der erste Teil dieser großen Nachricht ist geladen.</translation>
  </message>
  <message>
   <source>Open</source>
   <translation>Öffnen</translation>
  </message>
  <message>
   <source>Open again</source>
   <translation>Erneut öffnen</translation>
  </message>
  <message>
   <source>Open in mail program</source>
   <translation>Im Mailprogramm öffnen</translation>
  </message>
  <message>
   <source>Open it only if you know the sender and expected this file. If in doubt, ask the sender.</source>
   <translation>Öffnen Sie ihn nur, wenn Sie den Absender kennen und diese Datei erwartet haben. Fragen Sie im Zweifel den Absender.</translation>
  </message>
  <message>
   <source>Open local mail…</source>
   <translation>Lokale Mail öffnen …</translation>
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
   <source>Open {address} on any device, sign in there and enter this code:</source>
   <translation>Öffnen Sie {address} auf einem beliebigen Gerät, melden Sie sich dort an, und geben Sie diesen Code ein:</translation>
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
   <source>Order is out of date. Sort again</source>
   <translation>Reihenfolge veraltet. Neu sortieren</translation>
  </message>
  <message>
   <source>Other…</source>
   <translation>Andere …</translation>
  </message>
  <message>
   <source>Pages</source>
   <translation>Seiten</translation>
  </message>
  <message>
   <source>Part to choose on</source>
   <translation>Teil zum Auswählen</translation>
  </message>
  <message>
   <source>Part to test on</source>
   <translation>Teil zum Testen</translation>
  </message>
  <message>
   <source>Part to train on</source>
   <translation>Teil zum Trainieren</translation>
  </message>
  <message>
   <source>Password</source>
   <translation>Passwort</translation>
  </message>
  <message>
   <source>Password anyway, sent to {host}</source>
   <translation>Trotzdem Passwort, gesendet an {host}</translation>
  </message>
  <message>
   <source>Password for {account}</source>
   <translation>Passwort für {account}</translation>
  </message>
  <message>
   <source>Password needed</source>
   <translation>Passwort erforderlich</translation>
  </message>
  <message>
   <source>Pause</source>
   <translation>Anhalten</translation>
  </message>
  <message>
   <source>Pause learning from folders</source>
   <translation>Lernen aus Ordnern anhalten</translation>
  </message>
  <message>
   <source>Plain Naive Bayes would say {percent}.</source>
   <translation>Einfaches Naive Bayes würde {percent} sagen.</translation>
  </message>
  <message>
   <source>Plain text</source>
   <translation>Nur Text</translation>
  </message>
  <message>
   <source>Port</source>
   <translation>Port</translation>
  </message>
  <message>
   <source>Predicted and actual</source>
   <translation>Vorhergesagt und tatsächlich</translation>
  </message>
  <message>
   <source>Predicted chance of spam and actual share</source>
   <translation>Vorhergesagte Spam-Wahrscheinlichkeit und tatsächlicher Anteil</translation>
  </message>
  <message>
   <source>Predicted {promised}: {found} of {count} were spam</source>
   <translation>Vorhergesagt {promised}: {found} von {count} waren Spam</translation>
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
   <source>Press Enter or double-click to show the message in the main window.</source>
   <translation>Mit Enter oder einem Doppelklick zeigen Sie die Nachricht im Hauptfenster an.</translation>
  </message>
  <message>
   <source>Preview as not spam</source>
   <translation>Vorschau als kein Spam</translation>
  </message>
  <message>
   <source>Preview as spam</source>
   <translation>Vorschau als Spam</translation>
  </message>
  <message>
   <source>Preview without this word</source>
   <translation>Vorschau ohne dieses Wort</translation>
  </message>
  <message>
   <source>Previous</source>
   <translation>Vorige</translation>
  </message>
  <message>
   <source>Previous message</source>
   <translation>Vorige Nachricht</translation>
  </message>
  <message>
   <source>Print…</source>
   <translation>Drucken …</translation>
  </message>
  <message>
   <source>Probability of the word by the learned messages</source>
   <translation>Wahrscheinlichkeit des Worts nach den gelernten Nachrichten</translation>
  </message>
  <message>
   <source>Progress</source>
   <translation>Fortschritt</translation>
  </message>
  <message>
   <source>Progress to a reliable chance of spam: spam {spam}, good messages {ham}</source>
   <translation>Fortschritt zu einer verlässlichen Spam-Wahrscheinlichkeit: Spam {spam}, gute Nachrichten {ham}</translation>
  </message>
  <message>
   <source>Put back</source>
   <translation>Zurückgeholt</translation>
  </message>
  <message>
   <source>Put back (not spam)</source>
   <translation>Zurückholen (kein Spam)</translation>
  </message>
  <message>
   <source>Put back a day…</source>
   <translation>Einen Tag zurückholen…</translation>
  </message>
  <message>
   <source>Put back these messages?</source>
   <translation>Diese Nachrichten zurückholen?</translation>
  </message>
  <message>
   <source>Quit</source>
   <translation>Beenden</translation>
  </message>
  <message>
   <source>Ranking errors</source>
   <translation>Rangfehler</translation>
  </message>
  <message>
   <source>Ratio</source>
   <translation>Log-Q.</translation>
  </message>
  <message>
   <source>Re&amp;set…</source>
   <translation>Zurück&amp;setzen …</translation>
  </message>
  <message>
   <source>Read status of %n message changed.</source>
   <translation>Lesestatus von %n Nachricht geändert.</translation>
  </message>
  <message>
   <source>Read status of %n messages changed.</source>
   <translation>Lesestatus von %n Nachrichten geändert.</translation>
  </message>
  <message>
   <source>Reading model file</source>
   <translation>Modelldatei wird gelesen</translation>
  </message>
  <message>
   <source>Reading training mail again: {done} of {total}</source>
   <translation>Gelernte Nachrichten werden neu gelesen: {done} von {total}</translation>
  </message>
  <message>
   <source>Reason</source>
   <translation>Grund</translation>
  </message>
  <message>
   <source>Reasons</source>
   <translation>Gründe</translation>
  </message>
  <message>
   <source>Rebuild</source>
   <translation>Neu berechnen</translation>
  </message>
  <message>
   <source>Rebuild model</source>
   <translation>Modell neu berechnen</translation>
  </message>
  <message>
   <source>Rebuild model?</source>
   <translation>Modell neu berechnen?</translation>
  </message>
  <message>
   <source>Rebuild model…</source>
   <translation>Modell neu berechnen …</translation>
  </message>
  <message>
   <source>Rebuild the model from all your marks?</source>
   <translation>Das Modell aus allen Ihren Markierungen neu berechnen?</translation>
  </message>
  <message>
   <source>Rebuilding model</source>
   <translation>Modell wird neu berechnet</translation>
  </message>
  <message>
   <source>Rebuilding model…</source>
   <translation>Modell wird neu berechnet …</translation>
  </message>
  <message>
   <source>Rebuilding the model with the new method. Scores don't change until it is ready.</source>
   <translation>Das Modell wird mit dem neuen Verfahren neu berechnet. Bis dahin ändern sich die Bewertungen nicht.</translation>
  </message>
  <message>
   <source>Recalculates counts and corrections from your marks, after a backup. Your marks don't change.</source>
   <translation>Berechnet Häufigkeiten und Korrekturen nach einer Sicherung neu aus Ihren Markierungen. Ihre Markierungen ändern sich nicht.</translation>
  </message>
  <message>
   <source>Redo</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Redo the last undone change</source>
   <translation>Zuletzt rückgängig gemachte Änderung wiederholen</translation>
  </message>
  <message>
   <source>Redo: {step}</source>
   <translation>Wiederholen: {step}</translation>
  </message>
  <message>
   <source>Redoing</source>
   <translation>Wiederholen</translation>
  </message>
  <message>
   <source>Redone.</source>
   <translation>Wiederholt.</translation>
  </message>
  <message>
   <source>Redone: {step}.</source>
   <translation>Wiederholt: {step}.</translation>
  </message>
  <message>
   <source>Rehearse: list what would be moved</source>
   <translation>Probe: auflisten, was verschoben würde</translation>
  </message>
  <message>
   <source>Rehearsing with the mail of the last 30 days…</source>
   <translation>Probe mit der Mail der letzten 30 Tage…</translation>
  </message>
  <message>
   <source>Remember my answer for this account</source>
   <translation>Meine Antwort für dieses Konto merken</translation>
  </message>
  <message>
   <source>Remove</source>
   <translation>Entfernen</translation>
  </message>
  <message>
   <source>Remove account?</source>
   <translation>Konto entfernen?</translation>
  </message>
  <message>
   <source>Remove account…</source>
   <translation>Konto entfernen …</translation>
  </message>
  <message>
   <source>Remove all imports</source>
   <translation>Alle Importe entfernen</translation>
  </message>
  <message>
   <source>Remove rule</source>
   <translation>Regel entfernen</translation>
  </message>
  <message>
   <source>Remove the spam or not-spam mark</source>
   <translation>Markierung als Spam oder kein Spam entfernen</translation>
  </message>
  <message>
   <source>Remove {account} from nbmail?</source>
   <translation>{account} aus nbmail entfernen?</translation>
  </message>
  <message>
   <source>Removed by another program</source>
   <translation>Von anderem Programm entfernt</translation>
  </message>
  <message>
   <source>Removing imports</source>
   <translation>Importe werden entfernt</translation>
  </message>
  <message>
   <source>Replace earlier imports</source>
   <translation>Frühere Importe ersetzen</translation>
  </message>
  <message>
   <source>Reply in mail program</source>
   <translation>Im Mailprogramm antworten</translation>
  </message>
  <message>
   <source>Reply to</source>
   <translation>Antwort an</translation>
  </message>
  <message>
   <source>Reset</source>
   <translation>Zurücksetzen</translation>
  </message>
  <message>
   <source>Reset finished: %n mark deleted.</source>
   <translation>Zurückgesetzt: %n Markierung gelöscht.</translation>
  </message>
  <message>
   <source>Reset finished: %n marks deleted.</source>
   <translation>Zurückgesetzt: %n Markierungen gelöscht.</translation>
  </message>
  <message>
   <source>Reset training</source>
   <translation>Training zurücksetzen</translation>
  </message>
  <message>
   <source>Reset training?</source>
   <translation>Training zurücksetzen?</translation>
  </message>
  <message>
   <source>Restore</source>
   <translation>Wiederherstellen</translation>
  </message>
  <message>
   <source>Restore all marks to their state before this change ({when}: {subject})?</source>
   <translation>Alle Markierungen auf den Stand vor dieser Änderung zurücksetzen ({when}: {subject})?</translation>
  </message>
  <message>
   <source>Restore marks?</source>
   <translation>Markierungen wiederherstellen?</translation>
  </message>
  <message>
   <source>Restored by Redo on {when}.</source>
   <translation>Durch „Wiederholen“ wiederhergestellt ({when}).</translation>
  </message>
  <message>
   <source>Restored by Undo on {when}.</source>
   <translation>Durch „Rückgängig“ wiederhergestellt ({when}).</translation>
  </message>
  <message>
   <source>Restored from the history on {when}.</source>
   <translation>Aus dem Verlauf wiederhergestellt ({when}).</translation>
  </message>
  <message>
   <source>Restoring marks</source>
   <translation>Markierungen werden wiederhergestellt</translation>
  </message>
  <message>
   <source>Restoring marks…</source>
   <translation>Markierungen werden wiederhergestellt …</translation>
  </message>
  <message>
   <source>Result</source>
   <translation>Ergebnis</translation>
  </message>
  <message>
   <source>Results</source>
   <translation>Ergebnisse</translation>
  </message>
  <message>
   <source>Resume</source>
   <translation>Fortsetzen</translation>
  </message>
  <message>
   <source>Resume learning from folders</source>
   <translation>Lernen aus Ordnern fortsetzen</translation>
  </message>
  <message>
   <source>Retry now</source>
   <translation>Jetzt erneut versuchen</translation>
  </message>
  <message>
   <source>Review order</source>
   <translation>Reihenfolge</translation>
  </message>
  <message>
   <source>Review unsure messages</source>
   <translation>Unsichere Nachrichten durchgehen</translation>
  </message>
  <message>
   <source>Right</source>
   <translation>Richtig</translation>
  </message>
  <message>
   <source>Right (spam)</source>
   <translation>Richtig (Spam)</translation>
  </message>
  <message>
   <source>Right folder</source>
   <translation>Richtiger Ordner</translation>
  </message>
  <message>
   <source>Right suggestions by number of filed messages</source>
   <translation>Richtige Vorschläge nach Zahl der eingeordneten Nachrichten</translation>
  </message>
  <message>
   <source>Rows: where you filed a message. Columns: the first suggestion for it.</source>
   <translation>Zeilen: wo Sie eine Nachricht eingeordnet haben. Spalten: der erste Vorschlag für sie.</translation>
  </message>
  <message>
   <source>Rule for this sender</source>
   <translation>Regel für diesen Absender</translation>
  </message>
  <message>
   <source>Rule for this sender…</source>
   <translation>Regel für diesen Absender…</translation>
  </message>
  <message>
   <source>Rules for senders</source>
   <translation>Regeln für Absender</translation>
  </message>
  <message>
   <source>Rules for senders…</source>
   <translation>Regeln für Absender…</translation>
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
   <source>Save the model to a file</source>
   <translation>Modell in einer Datei speichern</translation>
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
   <source>Saves all counts as tables that a spreadsheet can open. They contain words from your mail, so share them with care.</source>
   <translation>Speichert alle Häufigkeiten als Tabellen für jede Tabellenkalkulation. Sie enthalten Wörter aus Ihrer Mail; geben Sie sie mit Bedacht weiter.</translation>
  </message>
  <message>
   <source>Saving a backup, then resetting…</source>
   <translation>Sicherung wird gespeichert, dann wird zurückgesetzt …</translation>
  </message>
  <message>
   <source>Search</source>
   <translation>Suchen</translation>
  </message>
  <message>
   <source>Search all mail</source>
   <translation>Alle Nachrichten durchsuchen</translation>
  </message>
  <message>
   <source>Search mail</source>
   <translation>E-Mails suchen</translation>
  </message>
  <message>
   <source>Search spam</source>
   <translation>Spam durchsuchen</translation>
  </message>
  <message>
   <source>Search stopped. Enter the server above, or choose “Find settings” to search again.</source>
   <translation>Suche abgebrochen. Geben Sie den Server oben ein, oder wählen Sie „Einstellungen suchen“, um erneut zu suchen.</translation>
  </message>
  <message>
   <source>Search words</source>
   <translation>Wörter suchen</translation>
  </message>
  <message>
   <source>Search words, or type a phrase to add</source>
   <translation>Wörter suchen oder eine Wendung zum Hinzufügen eingeben</translation>
  </message>
  <message>
   <source>Searches senders, recipients, subjects and message text. Put a phrase in quotes.</source>
   <translation>Durchsucht Absender, Empfänger, Betreff und Text. Wortfolgen bitte in Anführungszeichen setzen.</translation>
  </message>
  <message>
   <source>Searching message text: {share} %</source>
   <translation>Nachrichtentexte werden durchsucht: {share} %</translation>
  </message>
  <message>
   <source>Security</source>
   <translation>Sicherheit</translation>
  </message>
  <message>
   <source>See its message below. What it doesn't store, nbmail asks for again at the next start.</source>
   <translation>Seine Meldung steht unten. Was er nicht speichert, fragt nbmail beim nächsten Start erneut.</translation>
  </message>
  <message>
   <source>See the reason below, then try again.</source>
   <translation>Lesen Sie unten den Grund, und versuchen Sie es dann noch einmal.</translation>
  </message>
  <message>
   <source>See the reason below. Nothing was changed.</source>
   <translation>Der Grund steht unten. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>See the server's message below, or ask your mail provider.</source>
   <translation>Lesen Sie unten die Meldung des Servers, oder fragen Sie Ihren Mailanbieter.</translation>
  </message>
  <message>
   <source>Seed of the random order</source>
   <translation>Startwert der zufälligen Reihenfolge</translation>
  </message>
  <message>
   <source>Select %n messages of this conversation</source>
   <translation>%n Nachrichten dieser Unterhaltung auswählen</translation>
  </message>
  <message>
   <source>Select all</source>
   <translation>Alle auswählen</translation>
  </message>
  <message>
   <source>Select one message with a sender.</source>
   <translation>Wählen Sie eine Nachricht mit Absender aus.</translation>
  </message>
  <message>
   <source>Select one message.</source>
   <translation>Wählen Sie eine Nachricht aus.</translation>
  </message>
  <message>
   <source>Select this message</source>
   <translation>Diese Nachricht auswählen</translation>
  </message>
  <message>
   <source>Sender</source>
   <translation>Absender</translation>
  </message>
  <message>
   <source>Sender checks by</source>
   <translation>Absenderprüfung durch</translation>
  </message>
  <message>
   <source>Sender not verified</source>
   <translation>Absender nicht bestätigt</translation>
  </message>
  <message>
   <source>Sends the part of your address after the @ to Thunderbird.</source>
   <translation>Sendet den Teil Ihrer Adresse nach dem @ an Thunderbird.</translation>
  </message>
  <message>
   <source>Server</source>
   <translation>Server</translation>
  </message>
  <message>
   <source>Set rule</source>
   <translation>Regel setzen</translation>
  </message>
  <message>
   <source>Settings for {provider} are filled in. Enter your password.</source>
   <translation>Die Einstellungen für {provider} sind eingetragen. Geben Sie Ihr Passwort ein.</translation>
  </message>
  <message>
   <source>Share of messages that the method's own scores put right, before calibration.</source>
   <translation>Anteil der Nachrichten, die die Werte des Verfahrens selbst richtig zuordnen, vor der Kalibrierung.</translation>
  </message>
  <message>
   <source>Share of messages whose likelier class, after calibration, is the right one.</source>
   <translation>Anteil der Nachrichten, deren wahrscheinlichere Klasse nach der Kalibrierung die richtige ist.</translation>
  </message>
  <message>
   <source>Share of pairs in which a good message scored higher than a spam message. Lower is better.</source>
   <translation>Anteil der Paare, in denen eine gute Nachricht höher bewertet war als eine Spam-Nachricht. Weniger ist besser.</translation>
  </message>
  <message>
   <source>Show %n false alarm</source>
   <translation>%n Fehlalarm anzeigen</translation>
  </message>
  <message>
   <source>Show %n false alarms</source>
   <translation>%n Fehlalarme anzeigen</translation>
  </message>
  <message>
   <source>Show %n message</source>
   <translation>%n Nachricht anzeigen</translation>
  </message>
  <message>
   <source>Show %n messages</source>
   <translation>%n Nachrichten anzeigen</translation>
  </message>
  <message>
   <source>Show %n missed spam message</source>
   <translation>%n übersehene Spam-Nachricht anzeigen</translation>
  </message>
  <message>
   <source>Show %n missed spam messages</source>
   <translation>%n übersehene Spam-Nachrichten anzeigen</translation>
  </message>
  <message>
   <source>Show &amp;details</source>
   <translation>&amp;Details anzeigen</translation>
  </message>
  <message>
   <source>Show &amp;more</source>
   <translation>&amp;Mehr anzeigen</translation>
  </message>
  <message>
   <source>Show &amp;older marks</source>
   <translation>&amp;Ältere Markierungen anzeigen</translation>
  </message>
  <message>
   <source>Show &amp;words</source>
   <translation>&amp;Wörter zeigen</translation>
  </message>
  <message>
   <source>Show all</source>
   <translation>Alle anzeigen</translation>
  </message>
  <message>
   <source>Show all reasons</source>
   <translation>Alle Gründe anzeigen</translation>
  </message>
  <message>
   <source>Show all reasons, or go back to the list</source>
   <translation>Alle Gründe anzeigen oder zur Liste zurückkehren</translation>
  </message>
  <message>
   <source>Show all…</source>
   <translation>Alle anzeigen …</translation>
  </message>
  <message>
   <source>Show formatted text</source>
   <translation>Formatiert anzeigen</translation>
  </message>
  <message>
   <source>Show in folder</source>
   <translation>Im Ordner anzeigen</translation>
  </message>
  <message>
   <source>Show messages</source>
   <translation>Nachrichten anzeigen</translation>
  </message>
  <message>
   <source>Show nbmail</source>
   <translation>nbmail anzeigen</translation>
  </message>
  <message>
   <source>Show quoted text (%n line)</source>
   <translation>Zitierten Text anzeigen (%n Zeile)</translation>
  </message>
  <message>
   <source>Show quoted text (%n lines)</source>
   <translation>Zitierten Text anzeigen (%n Zeilen)</translation>
  </message>
  <message>
   <source>Show the message among the others of its folder</source>
   <translation>Die Nachricht zwischen den anderen ihres Ordners anzeigen</translation>
  </message>
  <message>
   <source>Show the message as plain text, or formatted</source>
   <translation>Die Nachricht als reinen Text oder formatiert anzeigen</translation>
  </message>
  <message>
   <source>Showing the first %n.</source>
   <translation>Die ersten %n werden angezeigt.</translation>
  </message>
  <message>
   <source>Showing the first {count} messages.</source>
   <translation>Die ersten {count} Nachrichten werden angezeigt.</translation>
  </message>
  <message>
   <source>Showing the latest {count} changes.</source>
   <translation>Die letzten {count} Änderungen werden angezeigt.</translation>
  </message>
  <message>
   <source>Showing the latest {n}.</source>
   <translation>Die letzten {n} werden angezeigt.</translation>
  </message>
  <message>
   <source>Showing {count}.</source>
   <translation>{count} werden angezeigt.</translation>
  </message>
  <message>
   <source>Showing {n} of them.</source>
   <translation>{n} davon werden angezeigt.</translation>
  </message>
  <message>
   <source>Shown as plain text.</source>
   <translation>Als reiner Text angezeigt.</translation>
  </message>
  <message>
   <source>Shows how accuracy depends on the number of marks. nbmail tests on the newest fifth of your marked messages.</source>
   <translation>Zeigt, wie die Genauigkeit von der Zahl der Markierungen abhängt. nbmail testet am neuesten Fünftel Ihrer markierten Nachrichten.</translation>
  </message>
  <message>
   <source>Sign in again</source>
   <translation>Erneut anmelden</translation>
  </message>
  <message>
   <source>Sign in again…</source>
   <translation>Erneut anmelden …</translation>
  </message>
  <message>
   <source>Sign in on the page in your browser. If none has opened, copy the address.</source>
   <translation>Melden Sie sich auf der Seite in Ihrem Browser an. Hat sich keine geöffnet, kopieren Sie die Adresse.</translation>
  </message>
  <message>
   <source>Sign in with</source>
   <translation>Anmeldung mit</translation>
  </message>
  <message>
   <source>Sign in: {account}</source>
   <translation>Anmelden: {account}</translation>
  </message>
  <message>
   <source>Sign-in accepted.</source>
   <translation>Anmeldung angenommen.</translation>
  </message>
  <message>
   <source>Sign-in server</source>
   <translation>Anmeldeserver</translation>
  </message>
  <message>
   <source>Signed in again. nbmail is connecting to {account}.</source>
   <translation>Wieder angemeldet. nbmail verbindet sich mit {account}.</translation>
  </message>
  <message>
   <source>Signed in. You can close this page and return to nbmail.</source>
   <translation>Angemeldet. Sie können diese Seite schließen und zu nbmail zurückkehren.</translation>
  </message>
  <message>
   <source>Signing in as {user}…</source>
   <translation>Anmeldung als {user} …</translation>
  </message>
  <message>
   <source>Signing in with your mail provider failed.</source>
   <translation>Die Anmeldung bei Ihrem Mailanbieter ist fehlgeschlagen.</translation>
  </message>
  <message>
   <source>Skip</source>
   <translation>Überspringen</translation>
  </message>
  <message>
   <source>Smart lists</source>
   <translation>Intelligente Listen</translation>
  </message>
  <message>
   <source>Smoothing α</source>
   <translation>Glättung α</translation>
  </message>
  <message>
   <source>Sort</source>
   <translation>Sortieren</translation>
  </message>
  <message>
   <source>Sort again</source>
   <translation>Neu sortieren</translation>
  </message>
  <message>
   <source>Sort by</source>
   <translation>Sortieren nach</translation>
  </message>
  <message>
   <source>Sort spam automatically</source>
   <translation>Spam automatisch sortieren</translation>
  </message>
  <message>
   <source>Sort spam automatically?</source>
   <translation>Spam automatisch sortieren?</translation>
  </message>
  <message>
   <source>Sort the inbox now?</source>
   <translation>Posteingang jetzt sortieren?</translation>
  </message>
  <message>
   <source>Sort what is here now…</source>
   <translation>Vorhandenes jetzt sortieren…</translation>
  </message>
  <message>
   <source>Sort your mail and see why</source>
   <translation>Mail sortieren und sehen, warum</translation>
  </message>
  <message>
   <source>Sort: move spam to the spam folder</source>
   <translation>Sortieren: Spam in den Spam-Ordner verschieben</translation>
  </message>
  <message>
   <source>Sorted</source>
   <translation>Sortiert</translation>
  </message>
  <message>
   <source>Sorted in the last 7 days, nearest to the spam threshold first</source>
   <translation>In den letzten 7 Tagen sortiert, der Spam-Schwelle am nächsten zuerst</translation>
  </message>
  <message>
   <source>Sorted messages</source>
   <translation>Sortierte Nachrichten</translation>
  </message>
  <message>
   <source>Sorted today: %n message</source>
   <translation>Heute sortiert: %n Nachricht</translation>
  </message>
  <message>
   <source>Sorted today: %n messages</source>
   <translation>Heute sortiert: %n Nachrichten</translation>
  </message>
  <message>
   <source>Sorting</source>
   <translation>Sortieren</translation>
  </message>
  <message>
   <source>Sorting %n message to Spam.</source>
   <translation>%n Nachricht wird in den Spam-Ordner sortiert.</translation>
  </message>
  <message>
   <source>Sorting %n messages to Spam.</source>
   <translation>%n Nachrichten werden in den Spam-Ordner sortiert.</translation>
  </message>
  <message>
   <source>Sorting begins</source>
   <translation>Sortieren beginnt</translation>
  </message>
  <message>
   <source>Sorting begins after about %n more mark.</source>
   <translation>Sortiert wird nach etwa %n weiteren Markierung.</translation>
  </message>
  <message>
   <source>Sorting begins after about %n more marks.</source>
   <translation>Sortiert wird nach etwa %n weiteren Markierungen.</translation>
  </message>
  <message>
   <source>Sorting needs an account on a mail server. Add one first.</source>
   <translation>Zum Sortieren ist ein Konto auf einem Mailserver nötig. Fügen Sie zuerst eines hinzu.</translation>
  </message>
  <message>
   <source>Sorting of {account}</source>
   <translation>Sortieren von {account}</translation>
  </message>
  <message>
   <source>Sorting…</source>
   <translation>Sortieren…</translation>
  </message>
  <message>
   <source>Sorts your mail, learns from your marks and shows the reasons for every verdict.</source>
   <translation>Sortiert Ihre Mail, lernt aus Ihren Markierungen und zeigt zu jeder Einstufung die Gründe.</translation>
  </message>
  <message>
   <source>Source</source>
   <translation>Quelltext</translation>
  </message>
  <message>
   <source>Source: {subject}</source>
   <translation>Quelltext: {subject}</translation>
  </message>
  <message>
   <source>Spam</source>
   <translation>Spam</translation>
  </message>
  <message>
   <source>Spam above a chance of {spam}, not spam up to {ham}, unsure between.</source>
   <translation>Spam ab einer Wahrscheinlichkeit von {spam}, kein Spam bis {ham}, dazwischen unsicher.</translation>
  </message>
  <message>
   <source>Spam above a chance of {spam}, otherwise not spam. No message is unsure.</source>
   <translation>Spam ab einer Wahrscheinlichkeit von {spam}, sonst kein Spam. Keine Nachricht ist unsicher.</translation>
  </message>
  <message>
   <source>Spam caught</source>
   <translation>Erkannt</translation>
  </message>
  <message>
   <source>Spam caught and false alarms by number of marks</source>
   <translation>Erkannter Spam und Fehlalarme nach Zahl der Markierungen</translation>
  </message>
  <message>
   <source>Spam folder</source>
   <translation>Spam-Ordner</translation>
  </message>
  <message>
   <source>Spam stays in the inbox and is only shown as spam.</source>
   <translation>Spam bleibt im Posteingang und wird nur als Spam angezeigt.</translation>
  </message>
  <message>
   <source>Spam threshold: messages with a chance of spam above {line}.</source>
   <translation>Spam-Schwelle: Nachrichten mit einer Spam-Wahrscheinlichkeit über {line}.</translation>
  </message>
  <message>
   <source>Spam threshold: {amount}, {percent} chance of spam.</source>
   <translation>Spam-Schwelle: {amount}, Spam-Wahrscheinlichkeit {percent}.</translation>
  </message>
  <message>
   <source>SpamAssassin backup (for sa-learn --restore)</source>
   <translation>SpamAssassin-Sicherung (für sa-learn --restore)</translation>
  </message>
  <message>
   <source>Start in the system tray when I log in</source>
   <translation>Bei der Anmeldung im Infobereich starten</translation>
  </message>
  <message>
   <source>Stay on this message</source>
   <translation>Bei der Nachricht bleiben</translation>
  </message>
  <message>
   <source>Stays</source>
   <translation>Bleibt</translation>
  </message>
  <message>
   <source>Stays: another program sorts it</source>
   <translation>Bleibt: ein anderes Programm sortiert sie</translation>
  </message>
  <message>
   <source>Stays: answered</source>
   <translation>Bleibt: beantwortet</translation>
  </message>
  <message>
   <source>Stays: answers your message</source>
   <translation>Bleibt: Antwort auf Ihre Nachricht</translation>
  </message>
  <message>
   <source>Stays: flagged</source>
   <translation>Bleibt: gekennzeichnet</translation>
  </message>
  <message>
   <source>Stays: marked</source>
   <translation>Bleibt: markiert</translation>
  </message>
  <message>
   <source>Stays: not loaded completely</source>
   <translation>Bleibt: nicht ganz geladen</translation>
  </message>
  <message>
   <source>Stays: the server refused</source>
   <translation>Bleibt: vom Server abgelehnt</translation>
  </message>
  <message>
   <source>Stays: was put back before</source>
   <translation>Bleibt: wurde schon zurückgeholt</translation>
  </message>
  <message>
   <source>Stays: you wrote to this sender</source>
   <translation>Bleibt: Sie haben diesem Absender geschrieben</translation>
  </message>
  <message>
   <source>Stop</source>
   <translation>Abbrechen</translation>
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
   <source>Stop search</source>
   <translation>Suche abbrechen</translation>
  </message>
  <message>
   <source>Stop test</source>
   <translation>Test abbrechen</translation>
  </message>
  <message>
   <source>Stopped</source>
   <translation>Angehalten</translation>
  </message>
  <message>
   <source>Stopped after {done} of {total}.</source>
   <translation>Nach {done} von {total} abgebrochen.</translation>
  </message>
  <message>
   <source>Stopped.</source>
   <translation>Abgebrochen.</translation>
  </message>
  <message>
   <source>Stopped. Nothing was changed.</source>
   <translation>Abgebrochen. Nichts wurde geändert.</translation>
  </message>
  <message>
   <source>Stopped: {done} of {total} messages were marked. Undo removes these marks.</source>
   <translation>Abgebrochen: {done} von {total} Nachrichten wurden markiert. „Rückgängig“ entfernt diese Markierungen.</translation>
  </message>
  <message>
   <source>Stopping…</source>
   <translation>Wird abgebrochen …</translation>
  </message>
  <message>
   <source>Strongest</source>
   <translation>Stärkste</translation>
  </message>
  <message>
   <source>Strongest for good mail</source>
   <translation>Stärkste für gute Mail</translation>
  </message>
  <message>
   <source>Strongest for spam</source>
   <translation>Stärkste für Spam</translation>
  </message>
  <message>
   <source>Subject</source>
   <translation>Betreff</translation>
  </message>
  <message>
   <source>Suggest</source>
   <translation>Vorschlag</translation>
  </message>
  <message>
   <source>Suggest messages to mark</source>
   <translation>Nachrichten zum Markieren vorschlagen</translation>
  </message>
  <message>
   <source>Suggest {folder}</source>
   <translation>{folder} vorschlagen</translation>
  </message>
  <message>
   <source>Suggested by other marks</source>
   <translation>Laut anderen Markierungen</translation>
  </message>
  <message>
   <source>Suggested folder</source>
   <translation>Vorgeschlagener Ordner</translation>
  </message>
  <message>
   <source>Suggestions: balanced evidence and your habits</source>
   <translation>Vorschläge: ausgewogene Belege und Ihre Gewohnheiten</translation>
  </message>
  <message>
   <source>Sum: log ratio of the two chances</source>
   <translation>Summe: logarithmisches Verhältnis der beiden Wahrscheinlichkeiten</translation>
  </message>
  <message>
   <source>Switch message pane layout</source>
   <translation>Anordnung der Nachrichtenansicht wechseln</translation>
  </message>
  <message>
   <source>Switch word highlighting</source>
   <translation>Hervorhebung von Wörtern umschalten</translation>
  </message>
  <message>
   <source>System default</source>
   <translation>Systemeinstellung</translation>
  </message>
  <message>
   <source>System tray</source>
   <translation>Infobereich</translation>
  </message>
  <message>
   <source>TLS (recommended)</source>
   <translation>TLS (empfohlen)</translation>
  </message>
  <message>
   <source>Test connection</source>
   <translation>Verbindung testen</translation>
  </message>
  <message>
   <source>Tested on {tested} good messages: {lost} classified as spam (95 % interval: up to {high}).</source>
   <translation>Getestet an {tested} guten Nachrichten: {lost} als Spam eingestuft (95-%-Intervall: bis {high}).</translation>
  </message>
  <message>
   <source>Tested without their own marks, these good messages were classified as spam. Clearest mistakes come first.</source>
   <translation>Ohne die eigene Markierung getestet, wurden diese guten Nachrichten als Spam eingestuft. Die deutlichsten Fehler stehen oben.</translation>
  </message>
  <message>
   <source>Tested without their own marks, these spam messages were classified as not spam. Clearest mistakes come first.</source>
   <translation>Ohne die eigene Markierung getestet, wurden diese Spam-Nachrichten als kein Spam eingestuft. Die deutlichsten Fehler stehen oben.</translation>
  </message>
  <message>
   <source>Testing all methods on your mail…</source>
   <translation>Alle Verfahren werden an Ihrer Mail getestet …</translation>
  </message>
  <message>
   <source>Testing parameters on your mail…</source>
   <translation>Parameter werden an Ihren E-Mails getestet …</translation>
  </message>
  <message>
   <source>Tests several values on your own mail and selects the best.</source>
   <translation>Testet mehrere Werte an Ihren eigenen E-Mails und wählt den besten.</translation>
  </message>
  <message>
   <source>Text beside icons</source>
   <translation>Text neben Symbolen</translation>
  </message>
  <message>
   <source>That is {spam} of your {all} unmarked messages now.</source>
   <translation>Das sind jetzt {spam} Ihrer {all} nicht markierten Nachrichten.</translation>
  </message>
  <message>
   <source>The best of {count} on only {compared} messages looks about {points} points better there than it is.</source>
   <translation>Das beste von {count} Ergebnissen wirkt bei nur {compared} Nachrichten etwa {points} Prozentpunkte besser, als es ist.</translation>
  </message>
  <message>
   <source>The demo isn't installed. Install it with: pip install 'nbmail[demo]'</source>
   <translation>Die Demo ist nicht installiert. Installieren Sie sie mit: pip install 'nbmail[demo]'</translation>
  </message>
  <message>
   <source>The disk is full.</source>
   <translation>Der Datenträger ist voll.</translation>
  </message>
  <message>
   <source>The disk may be failing, so back up your data now.</source>
   <translation>Der Datenträger ist vielleicht defekt, sichern Sie daher jetzt Ihre Daten.</translation>
  </message>
  <message>
   <source>The file contains words and addresses of your mail: it is as private as the mail.</source>
   <translation>Die Datei enthält Wörter und Adressen Ihrer E-Mails: Sie ist so vertraulich wie die E-Mails.</translation>
  </message>
  <message>
   <source>The file has no numbers of messages. nbmail estimates them.</source>
   <translation>Die Datei enthält keine Anzahl der Nachrichten. nbmail schätzt sie.</translation>
  </message>
  <message>
   <source>The file was made with another method, so only its word counts were imported.</source>
   <translation>Die Datei entstand mit einem anderen Verfahren, daher wurden nur ihre Worthäufigkeiten importiert.</translation>
  </message>
  <message>
   <source>The file with your marks is damaged.</source>
   <translation>Die Datei mit Ihren Markierungen ist beschädigt.</translation>
  </message>
  <message>
   <source>The file with your marks was damaged. nbmail created a new one with %n marks from labels.log.</source>
   <translation>Die Datei mit Ihren Markierungen war beschädigt. nbmail hat eine neue mit %n Markierungen aus labels.log angelegt.</translation>
  </message>
  <message>
   <source>The file with your marks was damaged. nbmail created a new one with 1 mark from labels.log.</source>
   <translation>Die Datei mit Ihren Markierungen war beschädigt. nbmail hat eine neue mit 1 Markierung aus labels.log angelegt.</translation>
  </message>
  <message>
   <source>The file with your marks was deleted while nbmail was running.</source>
   <translation>Die Datei mit Ihren Markierungen wurde gelöscht, während nbmail lief.</translation>
  </message>
  <message>
   <source>The folder {folder} doesn't exist any more.</source>
   <translation>Den Ordner {folder} gibt es nicht mehr.</translation>
  </message>
  <message>
   <source>The folder “{folder}” was not found in {account}.</source>
   <translation>Der Ordner „{folder}“ wurde in {account} nicht gefunden.</translation>
  </message>
  <message>
   <source>The inbox has no mail of the last 30 days. Nothing would have been moved.</source>
   <translation>Der Posteingang enthält keine Mail der letzten 30 Tage. Nichts wäre verschoben worden.</translation>
  </message>
  <message>
   <source>The inbox has nothing to sort: no unmarked message there is classified as spam.</source>
   <translation>Im Posteingang gibt es nichts zu sortieren: Keine unmarkierte Nachricht dort ist als Spam eingestuft.</translation>
  </message>
  <message>
   <source>The input is not valid.</source>
   <translation>Die Eingabe ist ungültig.</translation>
  </message>
  <message>
   <source>The mail server can't store marks.</source>
   <translation>Der Mailserver kann keine Markierungen speichern.</translation>
  </message>
  <message>
   <source>The mail server closed the connection.</source>
   <translation>Der Mailserver hat die Verbindung beendet.</translation>
  </message>
  <message>
   <source>The mail server doesn't let you move messages to {folder}.</source>
   <translation>Der Mailserver erlaubt Ihnen nicht, Nachrichten nach {folder} zu verschieben.</translation>
  </message>
  <message>
   <source>The mail server doesn't offer an encrypted connection.</source>
   <translation>Der Mailserver bietet keine verschlüsselte Verbindung an.</translation>
  </message>
  <message>
   <source>The mail server of {account} refused to move a message.</source>
   <translation>Der Mailserver von {account} hat das Verschieben einer Nachricht abgelehnt.</translation>
  </message>
  <message>
   <source>The mail server refused the request.</source>
   <translation>Der Mailserver hat die Anfrage abgelehnt.</translation>
  </message>
  <message>
   <source>The mail server refused to delete messages permanently.</source>
   <translation>Der Mailserver hat es abgelehnt, Nachrichten endgültig zu löschen.</translation>
  </message>
  <message>
   <source>The mail server refused to move messages to {folder}.</source>
   <translation>Der Mailserver hat es abgelehnt, Nachrichten nach {folder} zu verschieben.</translation>
  </message>
  <message>
   <source>The mail server rejected the user name or password.</source>
   <translation>Der Mailserver hat Benutzername oder Passwort abgelehnt.</translation>
  </message>
  <message>
   <source>The mail server sent an invalid reply.</source>
   <translation>Der Mailserver hat eine ungültige Antwort gesendet.</translation>
  </message>
  <message>
   <source>The mailbox is full: nothing can be moved to {folder}.</source>
   <translation>Das Postfach ist voll: Nach {folder} kann nichts verschoben werden.</translation>
  </message>
  <message>
   <source>The message stays where it is. Your marks are saved and learned.</source>
   <translation>Die Nachricht bleibt, wo sie ist. Ihre Markierungen sind gespeichert und gelernt.</translation>
  </message>
  <message>
   <source>The model was rebuilt.</source>
   <translation>Das Modell wurde neu berechnet.</translation>
  </message>
  <message>
   <source>The model was tested on {tested} good messages so far, and {lost} of them were classified as spam. In the worst case, {high} of your good mail could be moved. About {marks} more marks make this safer.</source>
   <translation>Das Modell wurde bisher an {tested} guten Nachrichten getestet; {lost} davon wurden als Spam eingestuft. Im schlimmsten Fall könnten {high} Ihrer guten E-Mails verschoben werden. Etwa {marks} weitere Markierungen machen das sicherer.</translation>
  </message>
  <message>
   <source>The open message would change from {before} to {after} ({verdict}).</source>
   <translation>Die offene Nachricht würde sich von {before} auf {after} ändern ({verdict}).</translation>
  </message>
  <message>
   <source>The other {n} words have no effect here. nbmail keeps them for exports to {owner}.</source>
   <translation>Die anderen {n} Wörter wirken hier nicht. nbmail bewahrt sie für Exporte nach {owner} auf.</translation>
  </message>
  <message>
   <source>The phrase is removed.</source>
   <translation>Die Wendung ist entfernt.</translation>
  </message>
  <message>
   <source>The phrase now counts like a word.</source>
   <translation>Die Wendung zählt jetzt wie ein Wort.</translation>
  </message>
  <message>
   <source>The previous model was saved as {name}.</source>
   <translation>Das vorherige Modell wurde als {name} gespeichert.</translation>
  </message>
  <message>
   <source>The previous model was saved to {file}.</source>
   <translation>Das vorherige Modell wurde in {file} gespeichert.</translation>
  </message>
  <message>
   <source>The provider's web page</source>
   <translation>Webseite des Anbieters</translation>
  </message>
  <message>
   <source>The score before any word counts.</source>
   <translation>Die Bewertung, bevor ein Wort zählt.</translation>
  </message>
  <message>
   <source>The sender contains letters that look like Latin letters: {letters}</source>
   <translation>Der Absender enthält Buchstaben, die wie lateinische aussehen: {letters}</translation>
  </message>
  <message>
   <source>The server's certificate can't be verified.</source>
   <translation>Das Zertifikat des Servers kann nicht überprüft werden.</translation>
  </message>
  <message>
   <source>The sign-in doesn't include access to mail over IMAP.</source>
   <translation>Die Anmeldung umfasst keinen Zugriff auf Mail über IMAP.</translation>
  </message>
  <message>
   <source>The sign-in failed. nbmail shows the reason.</source>
   <translation>Die Anmeldung ist fehlgeschlagen. nbmail zeigt den Grund.</translation>
  </message>
  <message>
   <source>The sign-in server of your mail provider can't renew your sign-in at the moment.</source>
   <translation>Der Anmeldeserver Ihres Mailanbieters kann Ihre Anmeldung im Moment nicht erneuern.</translation>
  </message>
  <message>
   <source>The system keyring reported an error.</source>
   <translation>Der Schlüsselbund des Systems meldet einen Fehler.</translation>
  </message>
  <message>
   <source>The tested message with the nearest score was not spam.</source>
   <translation>Die getestete Nachricht mit der nächstliegenden Bewertung war kein Spam.</translation>
  </message>
  <message>
   <source>The tested message with the nearest score was spam.</source>
   <translation>Die getestete Nachricht mit der nächstliegenden Bewertung war Spam.</translation>
  </message>
  <message>
   <source>The text is no longer stored here and {account} is offline. nbmail loads it when the account is back online.</source>
   <translation>Der Text ist hier nicht mehr gespeichert, und {account} ist offline. nbmail lädt ihn, sobald das Konto wieder online ist.</translation>
  </message>
  <message>
   <source>The text of this message is no longer available on this computer or in its account.</source>
   <translation>Der Text dieser Nachricht ist weder auf diesem Computer noch in ihrem Konto mehr vorhanden.</translation>
  </message>
  <message>
   <source>The web page of {provider}</source>
   <translation>Webseite von {provider}</translation>
  </message>
  <message>
   <source>The whole change is undone at once. You can redo it.</source>
   <translation>Die ganze Änderung wird auf einmal rückgängig gemacht. Sie können sie wiederholen.</translation>
  </message>
  <message>
   <source>Theme</source>
   <translation>Design</translation>
  </message>
  <message>
   <source>There are no imports to remove.</source>
   <translation>Es gibt keine Importe zu entfernen.</translation>
  </message>
  <message>
   <source>There are no past suggestions above 95 % yet.</source>
   <translation>Es gibt noch keine früheren Vorschläge über 95 %.</translation>
  </message>
  <message>
   <source>There are no past suggestions above 99 % yet.</source>
   <translation>Es gibt noch keine früheren Vorschläge über 99 %.</translation>
  </message>
  <message>
   <source>There are no rules. Set one from the menu of a message.</source>
   <translation>Es gibt keine Regeln. Im Menü einer Nachricht können Sie eine setzen.</translation>
  </message>
  <message>
   <source>There are too few marked messages.</source>
   <translation>Es gibt zu wenige markierte Nachrichten.</translation>
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
   <source>These have the lowest chance of spam:</source>
   <translation>Diese haben die geringste Spam-Wahrscheinlichkeit:</translation>
  </message>
  <message>
   <source>These messages were sorted to Spam with the lowest chance of spam.</source>
   <translation>Von den in den Spam-Ordner sortierten Nachrichten haben diese die niedrigste Spam-Wahrscheinlichkeit.</translation>
  </message>
  <message>
   <source>These settings were saved by a newer version of nbmail.</source>
   <translation>Diese Einstellungen wurden von einer neueren Version von nbmail gespeichert.</translation>
  </message>
  <message>
   <source>They are moved to the spam folder. You can undo this in one step, and put back each of them.</source>
   <translation>Sie werden in den Spam-Ordner verschoben. Sie können das in einem Schritt rückgängig machen und jede einzeln zurückholen.</translation>
  </message>
  <message>
   <source>They are where they were.</source>
   <translation>Sie sind, wo sie waren.</translation>
  </message>
  <message>
   <source>They get no mark, and are never sorted again. You can undo this in one step.</source>
   <translation>Sie werden nicht markiert und nie wieder sortiert. Sie können das in einem Schritt rückgängig machen.</translation>
  </message>
  <message>
   <source>This account already exists. To change it, right-click it in the sidebar.</source>
   <translation>Dieses Konto gibt es schon. Um es zu ändern, klicken Sie es in der Seitenleiste mit der rechten Maustaste an.</translation>
  </message>
  <message>
   <source>This could not be changed: {reason}</source>
   <translation>Das konnte nicht geändert werden: {reason}</translation>
  </message>
  <message>
   <source>This data folder was made by another version of nbmail.</source>
   <translation>Dieser Datenordner stammt von einer anderen Version von nbmail.</translation>
  </message>
  <message>
   <source>This file was already imported or was exported from here. Importing it again would count everything twice.</source>
   <translation>Diese Datei wurde schon importiert oder von hier exportiert. Ein erneuter Import würde alles doppelt zählen.</translation>
  </message>
  <message>
   <source>This format can't store {n} words.</source>
   <translation>Dieses Format kann {n} Wörter nicht speichern.</translation>
  </message>
  <message>
   <source>This item no longer exists.</source>
   <translation>Dieses Element existiert nicht mehr.</translation>
  </message>
  <message>
   <source>This link is broken.</source>
   <translation>Dieser Link ist ungültig.</translation>
  </message>
  <message>
   <source>This link leads to {server}. Open it in your browser?</source>
   <translation>Dieser Link führt zu {server}. Im Browser öffnen?</translation>
  </message>
  <message>
   <source>This link starts a message to {server}. Open it in your mail program?</source>
   <translation>Dieser Link beginnt eine Nachricht an {server}. Im Mailprogramm öffnen?</translation>
  </message>
  <message>
   <source>This mark alone would not change any other verdict.</source>
   <translation>Diese Markierung allein würde keine andere Einstufung ändern.</translation>
  </message>
  <message>
   <source>This message can't be read.</source>
   <translation>Diese Nachricht ist nicht lesbar.</translation>
  </message>
  <message>
   <source>This message can't be shown.</source>
   <translation>Diese Nachricht lässt sich nicht anzeigen.</translation>
  </message>
  <message>
   <source>This message has no sender to answer.</source>
   <translation>Diese Nachricht hat keinen Absender, dem Sie antworten könnten.</translation>
  </message>
  <message>
   <source>This message has no text.</source>
   <translation>Diese Nachricht hat keinen Text.</translation>
  </message>
  <message>
   <source>This message has several From headers. Other programs may show a different sender.</source>
   <translation>Diese Nachricht hat mehrere From-Kopfzeilen. Andere Programme zeigen vielleicht einen anderen Absender an.</translation>
  </message>
  <message>
   <source>This message isn't in the current list of the main window.</source>
   <translation>Diese Nachricht ist nicht in der aktuellen Liste des Hauptfensters.</translation>
  </message>
  <message>
   <source>This message offers no way to unsubscribe that your mail server could verify.</source>
   <translation>Diese Nachricht bietet keine Abmeldung an, die Ihr Mailserver bestätigen konnte.</translation>
  </message>
  <message>
   <source>This method has no parameters.</source>
   <translation>Dieses Verfahren hat keine Parameter.</translation>
  </message>
  <message>
   <source>This model is already included.</source>
   <translation>Dieses Modell ist schon enthalten.</translation>
  </message>
  <message>
   <source>This word is ignored and doesn't affect any score.</source>
   <translation>Dieses Wort wird ignoriert und wirkt sich auf keine Bewertung aus.</translation>
  </message>
  <message>
   <source>Threshold {percent}</source>
   <translation>Schwelle {percent}</translation>
  </message>
  <message>
   <source>Thunderbird</source>
   <translation>Thunderbird</translation>
  </message>
  <message>
   <source>Thunderbird training.dat</source>
   <translation>Thunderbird training.dat</translation>
  </message>
  <message>
   <source>Thunderbird traits.dat</source>
   <translation>Thunderbird traits.dat</translation>
  </message>
  <message>
   <source>Times</source>
   <translation>Anzahl</translation>
  </message>
  <message>
   <source>To</source>
   <translation>An</translation>
  </message>
  <message>
   <source>To begin, mark some spam and some good messages</source>
   <translation>Markieren Sie zu Beginn einige Spam- und einige gute Nachrichten</translation>
  </message>
  <message>
   <source>To recover what is readable, run `nbmail doctor --repair` in a terminal. The damaged file is kept.</source>
   <translation>Um alles Lesbare zu retten, führen Sie in einem Terminal `nbmail doctor --repair` aus. Die beschädigte Datei bleibt erhalten.</translation>
  </message>
  <message>
   <source>To take its marks along, put its file labels.log into an empty data folder and start nbmail there.</source>
   <translation>Um seine Markierungen mitzunehmen, legen Sie seine Datei labels.log in einen leeren Datenordner und starten Sie nbmail dort.</translation>
  </message>
  <message>
   <source>Today</source>
   <translation>Heute</translation>
  </message>
  <message>
   <source>Total {amount}: {lean}. Mark more messages to get a chance of spam.</source>
   <translation>Summe {amount}: {lean}. Markieren Sie mehr Nachrichten, um eine Spam-Wahrscheinlichkeit zu erhalten.</translation>
  </message>
  <message>
   <source>Total {amount}: {percent} chance of spam.</source>
   <translation>Summe {amount}: Spam-Wahrscheinlichkeit {percent}.</translation>
  </message>
  <message>
   <source>Train on</source>
   <translation>Trainieren mit</translation>
  </message>
  <message>
   <source>Trained on {learned} messages, compared on {compared} others, drawn at random (seed {seed}).</source>
   <translation>Mit {learned} Nachrichten trainiert, an {compared} anderen verglichen, zufällig gezogen (Startwert {seed}).</translation>
  </message>
  <message>
   <source>Trained on {learned} older messages, compared on {compared} newer ones.</source>
   <translation>Trainiert mit {learned} älteren Nachrichten, verglichen an {compared} neueren.</translation>
  </message>
  <message>
   <source>Training and accuracy</source>
   <translation>Training und Genauigkeit</translation>
  </message>
  <message>
   <source>Training finished. Mark both spam and good messages to see how accurate nbmail is.</source>
   <translation>Training beendet. Markieren Sie Spam und gute Nachrichten, um die Genauigkeit von nbmail zu sehen.</translation>
  </message>
  <message>
   <source>Training progress</source>
   <translation>Trainingsfortschritt</translation>
  </message>
  <message>
   <source>Trash folder of {account}</source>
   <translation>Papierkorb von {account}</translation>
  </message>
  <message>
   <source>Tree-augmented: pairs of related words</source>
   <translation>Baum-erweitert: Paare verwandter Wörter</translation>
  </message>
  <message>
   <source>Try again</source>
   <translation>Erneut versuchen</translation>
  </message>
  <message>
   <source>Try again. If it happens again, restart nbmail and report the error.</source>
   <translation>Versuchen Sie es noch einmal. Tritt der Fehler wieder auf, starten Sie nbmail neu, und melden Sie ihn.</translation>
  </message>
  <message>
   <source>Try nbmail with sample mail. Nothing is saved.</source>
   <translation>Probieren Sie nbmail mit Beispielmail aus. Nichts wird gespeichert.</translation>
  </message>
  <message>
   <source>Try the demo</source>
   <translation>Demo ausprobieren</translation>
  </message>
  <message>
   <source>Turn on</source>
   <translation>Einschalten</translation>
  </message>
  <message>
   <source>Turn on IMAP in the settings of your mail provider, then sign in again.</source>
   <translation>Schalten Sie IMAP in den Einstellungen Ihres Mailanbieters ein, und melden Sie sich dann erneut an.</translation>
  </message>
  <message>
   <source>Type two words or more in the search field. A phrase counts in addition to its words.</source>
   <translation>Geben Sie zwei oder mehr Wörter ins Suchfeld ein. Eine Wendung zählt zusätzlich zu ihren Wörtern.</translation>
  </message>
  <message>
   <source>Undo</source>
   <translation>Rückgängig</translation>
  </message>
  <message>
   <source>Undo the last change</source>
   <translation>Letzte Änderung rückgängig machen</translation>
  </message>
  <message>
   <source>Undo this change?</source>
   <translation>Diese Änderung rückgängig machen?</translation>
  </message>
  <message>
   <source>Undo {step}?</source>
   <translation>Rückgängig machen: {step}?</translation>
  </message>
  <message>
   <source>Undo: {step}</source>
   <translation>Rückgängig: {step}</translation>
  </message>
  <message>
   <source>Undoing</source>
   <translation>Rückgängig machen</translation>
  </message>
  <message>
   <source>Undoing…</source>
   <translation>Wird rückgängig gemacht …</translation>
  </message>
  <message>
   <source>Undone.</source>
   <translation>Rückgängig gemacht.</translation>
  </message>
  <message>
   <source>Undone: {step}.</source>
   <translation>Rückgängig gemacht: {step}.</translation>
  </message>
  <message>
   <source>Unit of the parts</source>
   <translation>Einheit der Teile</translation>
  </message>
  <message>
   <source>Unlike most of your mail: log p(x) per word is {amount}, lower than in {higher} of your latest {others} messages.</source>
   <translation>Anders als Ihre meiste Mail: log p(x) je Wort ist {amount}, niedriger als in {higher} Ihrer letzten {others} Nachrichten.</translation>
  </message>
  <message>
   <source>Unread</source>
   <translation>Ungelesen</translation>
  </message>
  <message>
   <source>Unsubscribe</source>
   <translation>Abmelden</translation>
  </message>
  <message>
   <source>Unsubscribe from messages of {sender}?</source>
   <translation>Von Nachrichten von {sender} abmelden?</translation>
  </message>
  <message>
   <source>Unsubscribe?</source>
   <translation>Abmelden?</translation>
  </message>
  <message>
   <source>Unsubscribe…</source>
   <translation>Abmelden…</translation>
  </message>
  <message>
   <source>Unsubscribing…</source>
   <translation>Abmeldung läuft…</translation>
  </message>
  <message>
   <source>Unsure</source>
   <translation>Unsicher</translation>
  </message>
  <message>
   <source>Unsure messages, newest first</source>
   <translation>Unsichere Nachrichten, neueste zuerst</translation>
  </message>
  <message>
   <source>Up to date ({when})</source>
   <translation>Aktuell ({when})</translation>
  </message>
  <message>
   <source>Up to date; marks stay on this computer</source>
   <translation>Aktuell; Markierungen bleiben auf diesem Computer</translation>
  </message>
  <message>
   <source>Updating the chance of spam…</source>
   <translation>Spam-Wahrscheinlichkeit wird berechnet …</translation>
  </message>
  <message>
   <source>Use an app password if your provider offers one, or your own client ID.</source>
   <translation>Verwenden Sie ein App-Passwort, wenn Ihr Anbieter eines anbietet, oder eine eigene Client-ID.</translation>
  </message>
  <message>
   <source>Use in all {count} places again</source>
   <translation>An allen {count} Stellen wieder verwenden</translation>
  </message>
  <message>
   <source>Use my own mail</source>
   <translation>Eigene E-Mails öffnen</translation>
  </message>
  <message>
   <source>Use the window that is already open.</source>
   <translation>Verwenden Sie das bereits geöffnete Fenster.</translation>
  </message>
  <message>
   <source>Use this word again</source>
   <translation>Dieses Wort wieder verwenden</translation>
  </message>
  <message>
   <source>Use your own client ID</source>
   <translation>Eigene Client-ID verwenden</translation>
  </message>
  <message>
   <source>Use {host}, which is not in {domain}</source>
   <translation>{host} verwenden, obwohl er nicht zu {domain} gehört</translation>
  </message>
  <message>
   <source>User name</source>
   <translation>Benutzername</translation>
  </message>
  <message>
   <source>User name and password accepted.</source>
   <translation>Benutzername und Passwort akzeptiert.</translation>
  </message>
  <message>
   <source>Verdict</source>
   <translation>Einstufung</translation>
  </message>
  <message>
   <source>Verdicts changed by this mark</source>
   <translation>Durch diese Markierung geänderte Einstufungen</translation>
  </message>
  <message>
   <source>Verdicts that would change without “{word}”</source>
   <translation>Einstufungen, die sich ohne „{word}“ ändern würden</translation>
  </message>
  <message>
   <source>Verdicts this mark would change</source>
   <translation>Einstufungen, die diese Markierung ändern würde</translation>
  </message>
  <message>
   <source>Verified</source>
   <translation>Bestätigt</translation>
  </message>
  <message>
   <source>View headers and source</source>
   <translation>Kopfzeilen und Quelltext anzeigen</translation>
  </message>
  <message>
   <source>Virtual examples m</source>
   <translation>Virtuelle Beispiele m</translation>
  </message>
  <message>
   <source>Wait for more marks</source>
   <translation>Auf mehr Markierungen warten</translation>
  </message>
  <message>
   <source>Waiting</source>
   <translation>Wartet</translation>
  </message>
  <message>
   <source>Watch</source>
   <translation>Überwachen</translation>
  </message>
  <message>
   <source>Watch {folder}</source>
   <translation>{folder} überwachen</translation>
  </message>
  <message>
   <source>Weight</source>
   <translation>Gewicht</translation>
  </message>
  <message>
   <source>What each verdict costs. A message gets the verdict with the least expected cost.</source>
   <translation>Was jede Einstufung kostet. Eine Nachricht erhält die Einstufung mit den geringsten erwarteten Kosten.</translation>
  </message>
  <message>
   <source>What nbmail learns stays on this computer, and your password in the system keyring. Marks are also saved as flags on your mail server.</source>
   <translation>Was nbmail lernt, bleibt auf diesem Computer, Ihr Passwort im Schlüsselbund des Systems. Markierungen werden zusätzlich auf Ihrem Mailserver gespeichert.</translation>
  </message>
  <message>
   <source>When</source>
   <translation>Wann</translation>
  </message>
  <message>
   <source>When the open message arrived: in {spam} spam and {ham} good messages.</source>
   <translation>Als die offene Nachricht eintraf: in {spam} Spam- und {ham} guten Nachrichten.</translation>
  </message>
  <message>
   <source>When this is off, nbmail only changes spam and read flags on the server. You can undo every move.</source>
   <translation>Ausgeschaltet ändert nbmail auf dem Server nur Kennzeichen für Spam und Gelesenes. Sie können jedes Verschieben rückgängig machen.</translation>
  </message>
  <message>
   <source>Where</source>
   <translation>Wo</translation>
  </message>
  <message>
   <source>While you were away: %n message sorted to Spam</source>
   <translation>Während Sie weg waren: %n Nachricht in den Spam-Ordner sortiert</translation>
  </message>
  <message>
   <source>While you were away: %n messages sorted to Spam</source>
   <translation>Während Sie weg waren: %n Nachrichten in den Spam-Ordner sortiert</translation>
  </message>
  <message>
   <source>While you were away: {filed}</source>
   <translation>Während Sie weg waren: {filed}</translation>
  </message>
  <message>
   <source>Why this folder, and not the next one</source>
   <translation>Warum dieser Ordner und nicht der nächste</translation>
  </message>
  <message>
   <source>Why {folder}?</source>
   <translation>Warum {folder}?</translation>
  </message>
  <message>
   <source>Why?</source>
   <translation>Warum?</translation>
  </message>
  <message>
   <source>Without this word, %n verdict would change.</source>
   <translation>Ohne dieses Wort würde sich %n Einstufung ändern.</translation>
  </message>
  <message>
   <source>Without this word, %n verdicts would change.</source>
   <translation>Ohne dieses Wort würden sich %n Einstufungen ändern.</translation>
  </message>
  <message>
   <source>Without this word, no verdict would change.</source>
   <translation>Ohne dieses Wort würde sich keine Einstufung ändern.</translation>
  </message>
  <message>
   <source>Without {words}, it would be classified as not spam.</source>
   <translation>Ohne {words} würde sie als kein Spam eingestuft.</translation>
  </message>
  <message>
   <source>Without {words}, it would be spam.</source>
   <translation>Ohne {words} wäre sie Spam.</translation>
  </message>
  <message>
   <source>Without {words}, it would be unsure or spam.</source>
   <translation>Ohne {words} wäre sie unsicher oder Spam.</translation>
  </message>
  <message>
   <source>Without {words}, it would not be spam.</source>
   <translation>Ohne {words} wäre sie kein Spam.</translation>
  </message>
  <message>
   <source>Word</source>
   <translation>Wort</translation>
  </message>
  <message>
   <source>Word or fact, and where it was found</source>
   <translation>Wort oder Merkmal und wo es gefunden wurde</translation>
  </message>
  <message>
   <source>Words</source>
   <translation>Wörter</translation>
  </message>
  <message>
   <source>Words in the model</source>
   <translation>Wörter im Modell</translation>
  </message>
  <message>
   <source>Words of {folder}</source>
   <translation>Wörter von {folder}</translation>
  </message>
  <message>
   <source>Would be filed in {folder}</source>
   <translation>Käme nach {folder}</translation>
  </message>
  <message>
   <source>Would be moved</source>
   <translation>Würde verschoben</translation>
  </message>
  <message>
   <source>Yesterday</source>
   <translation>Gestern</translation>
  </message>
  <message>
   <source>Yesterday {time}</source>
   <translation>Gestern {time}</translation>
  </message>
  <message>
   <source>You can undo this.</source>
   <translation>Sie können das rückgängig machen.</translation>
  </message>
  <message>
   <source>You marked %n message: {spam} spam, {ham} not spam.</source>
   <translation>Sie haben %n Nachricht markiert: {spam} Spam, {ham} kein Spam.</translation>
  </message>
  <message>
   <source>You marked %n messages: {spam} spam, {ham} not spam.</source>
   <translation>Sie haben %n Nachrichten markiert: {spam} Spam, {ham} kein Spam.</translation>
  </message>
  <message>
   <source>You marked it as {label}</source>
   <translation>Von Ihnen als {label} markiert</translation>
  </message>
  <message>
   <source>You unsubscribed on {date}. The answer was: {answer}</source>
   <translation>Sie haben sich am {date} abgemeldet. Die Antwort war: {answer}</translation>
  </message>
  <message>
   <source>Your account on the mail server is full.</source>
   <translation>Ihr Konto auf dem Mailserver ist voll.</translation>
  </message>
  <message>
   <source>Your mail program opens with a message to {address}. Send it to unsubscribe.</source>
   <translation>Ihr Mailprogramm öffnet sich mit einer Nachricht an {address}. Senden Sie sie ab, um sich abzumelden.</translation>
  </message>
  <message>
   <source>Your mark</source>
   <translation>Ihre Markierung</translation>
  </message>
  <message>
   <source>Your marks are saved on this computer only. Other computers and mail programs won't see them.</source>
   <translation>Ihre Markierungen werden nur auf diesem Computer gespeichert. Andere Computer und Mailprogramme sehen sie nicht.</translation>
  </message>
  <message>
   <source>Your marks don't change, and you can undo the import. Before replacing earlier imports, nbmail saves a backup of the current model.</source>
   <translation>Ihre Markierungen ändern sich nicht, und Sie können den Import rückgängig machen. Bevor frühere Importe ersetzt werden, speichert nbmail eine Sicherung des aktuellen Modells.</translation>
  </message>
  <message>
   <source>Your marks so far would have moved these {n} messages:</source>
   <translation>Ihre bisherigen Markierungen hätten diese {n} Nachrichten verschoben:</translation>
  </message>
  <message>
   <source>Your marks so far would have moved this message:</source>
   <translation>Ihre bisherigen Markierungen hätten diese Nachricht verschoben:</translation>
  </message>
  <message>
   <source>Your marks so far would not have moved any messages.</source>
   <translation>Ihre bisherigen Markierungen hätten keine Nachrichten verschoben.</translation>
  </message>
  <message>
   <source>Your password was not sent. Check the server name, or choose the certificate file of your own server.</source>
   <translation>Ihr Passwort wurde nicht gesendet. Prüfen Sie den Servernamen, oder wählen Sie die Zertifikatsdatei Ihres eigenen Servers.</translation>
  </message>
  <message>
   <source>Your password was not sent. Try TLS on port 993, or ask your mail provider.</source>
   <translation>Ihr Passwort wurde nicht gesendet. Versuchen Sie TLS auf Port 993, oder fragen Sie Ihren Mailanbieter.</translation>
  </message>
  <message>
   <source>absent words</source>
   <translation>fehlende Wörter</translation>
  </message>
  <message>
   <source>accuracy on newer mail</source>
   <translation>Genauigkeit bei neueren E-Mails</translation>
  </message>
  <message>
   <source>actual share of spam</source>
   <translation>tatsächlicher Spam-Anteil</translation>
  </message>
  <message>
   <source>adding or removing a phrase</source>
   <translation>Hinzufügen oder Entfernen einer Wendung</translation>
  </message>
  <message>
   <source>address contains a user name</source>
   <translation>Adresse enthält einen Benutzernamen</translation>
  </message>
  <message>
   <source>adds {amount}</source>
   <translation>trägt {amount} bei</translation>
  </message>
  <message>
   <source>adjusted by past suggestions</source>
   <translation>angepasst nach früheren Vorschlägen</translation>
  </message>
  <message>
   <source>all mail</source>
   <translation>alle Mail</translation>
  </message>
  <message>
   <source>all others</source>
   <translation>allen übrigen</translation>
  </message>
  <message>
   <source>all shortcuts</source>
   <translation>alle Tastenkürzel</translation>
  </message>
  <message>
   <source>and %n more</source>
   <translation>und %n weitere</translation>
  </message>
  <message>
   <source>and more</source>
   <translation>und weitere</translation>
  </message>
  <message>
   <source>and test on</source>
   <translation>und testen mit</translation>
  </message>
  <message>
   <source>another mail program</source>
   <translation>anderes Mailprogramm</translation>
  </message>
  <message>
   <source>answers a message marked as not spam</source>
   <translation>Antwort auf eine als kein Spam markierte Nachricht</translation>
  </message>
  <message>
   <source>answers another message</source>
   <translation>Antwort auf eine andere Nachricht</translation>
  </message>
  <message>
   <source>answers no message</source>
   <translation>keine Antwort auf eine Nachricht</translation>
  </message>
  <message>
   <source>answers your message</source>
   <translation>Antwort auf Ihre Nachricht</translation>
  </message>
  <message>
   <source>archive</source>
   <translation>Archiv</translation>
  </message>
  <message>
   <source>at a loss of at most {share}</source>
   <translation>bei höchstens {share} Verlust</translation>
  </message>
  <message>
   <source>at random</source>
   <translation>zufällig</translation>
  </message>
  <message>
   <source>attachment</source>
   <translation>Anhang</translation>
  </message>
  <message>
   <source>automatic mail</source>
   <translation>automatische Mail</translation>
  </message>
  <message>
   <source>bogofilter word list (for bogoutil -l)</source>
   <translation>bogofilter-Wortliste (für bogoutil -l)</translation>
  </message>
  <message>
   <source>bounce address</source>
   <translation>Rücksendeadresse</translation>
  </message>
  <message>
   <source>bounces go to another address</source>
   <translation>Unzustellbares geht an eine andere Adresse</translation>
  </message>
  <message>
   <source>bounces go to the sender</source>
   <translation>Unzustellbares geht an den Absender</translation>
  </message>
  <message>
   <source>by date</source>
   <translation>nach Datum</translation>
  </message>
  <message>
   <source>calibration</source>
   <translation>Kalibrierung</translation>
  </message>
  <message>
   <source>certificate not valid for this server.</source>
   <translation>Zertifikat für diesen Server ungültig.</translation>
  </message>
  <message>
   <source>changing a rule for a sender</source>
   <translation>Regel für einen Absender ändern</translation>
  </message>
  <message>
   <source>changing the costs of mistakes</source>
   <translation>Ändern der Fehlerkosten</translation>
  </message>
  <message>
   <source>changing the method</source>
   <translation>Ändern des Verfahrens</translation>
  </message>
  <message>
   <source>character set {value}</source>
   <translation>Zeichensatz {value}</translation>
  </message>
  <message>
   <source>choose a spam folder</source>
   <translation>Spam-Ordner wählen</translation>
  </message>
  <message>
   <source>choose on</source>
   <translation>auswählen mit</translation>
  </message>
  <message>
   <source>claims to be from you</source>
   <translation>gibt an, von Ihnen zu sein</translation>
  </message>
  <message>
   <source>clearing %n mark</source>
   <translation>%n Markierung entfernen</translation>
  </message>
  <message>
   <source>clearing %n marks</source>
   <translation>%n Markierungen entfernen</translation>
  </message>
  <message>
   <source>clearing the mark of “{subject}”</source>
   <translation>Markierung von „{subject}“ entfernen</translation>
  </message>
  <message>
   <source>clearly {name}</source>
   <translation>deutlich {name}</translation>
  </message>
  <message>
   <source>content type {value}</source>
   <translation>Inhaltstyp {value}</translation>
  </message>
  <message>
   <source>date without a time zone</source>
   <translation>Datum ohne Zeitzone</translation>
  </message>
  <message>
   <source>date without a weekday</source>
   <translation>Datum ohne Wochentag</translation>
  </message>
  <message>
   <source>decided by {who}</source>
   <translation>entschieden von {who}</translation>
  </message>
  <message>
   <source>delivery class</source>
   <translation>Versandklasse</translation>
  </message>
  <message>
   <source>delivery route</source>
   <translation>Zustellweg</translation>
  </message>
  <message>
   <source>don't learn</source>
   <translation>nicht lernen</translation>
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
   <source>en</source>
   <translation>de</translation>
  </message>
  <message>
   <source>encoding</source>
   <translation>Kodierung</translation>
  </message>
  <message>
   <source>encrypted with {tls}</source>
   <translation>verschlüsselt mit {tls}</translation>
  </message>
  <message>
   <source>ends with “{value}”</source>
   <translation>endet mit „{value}“</translation>
  </message>
  <message>
   <source>failed the {check}</source>
   <translation>{check} nicht bestanden</translation>
  </message>
  <message>
   <source>false alarms</source>
   <translation>Fehlalarme</translation>
  </message>
  <message>
   <source>fewer than {value} words in parts that are not shown</source>
   <translation>weniger als {value} Wörter in nicht gezeigten Teilen</translation>
  </message>
  <message>
   <source>file name ending in {value}</source>
   <translation>Dateiname endet auf {value}</translation>
  </message>
  <message>
   <source>filed messages</source>
   <translation>eingeordnete Nachrichten</translation>
  </message>
  <message>
   <source>first suggestion right</source>
   <translation>erster Vorschlag richtig</translation>
  </message>
  <message>
   <source>flagged</source>
   <translation>gekennzeichnet</translation>
  </message>
  <message>
   <source>flagging %n message</source>
   <translation>%n Nachricht kennzeichnen</translation>
  </message>
  <message>
   <source>flagging %n messages</source>
   <translation>%n Nachrichten kennzeichnen</translation>
  </message>
  <message>
   <source>folder</source>
   <translation>Ordner</translation>
  </message>
  <message>
   <source>folder without messages</source>
   <translation>Ordner ohne Nachrichten</translation>
  </message>
  <message>
   <source>folders used lately</source>
   <translation>zuletzt benutzte Ordner</translation>
  </message>
  <message>
   <source>format {value}</source>
   <translation>Format {value}</translation>
  </message>
  <message>
   <source>from an unnamed server to {value}</source>
   <translation>von einem namenlosen Server an {value}</translation>
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
   <source>good mail</source>
   <translation>gute Mail</translation>
  </message>
  <message>
   <source>good mail, unsure</source>
   <translation>gute E-Mail, unsicher</translation>
  </message>
  <message>
   <source>good mail, verdict spam</source>
   <translation>gute E-Mail, Einstufung Spam</translation>
  </message>
  <message>
   <source>handed to your mail program</source>
   <translation>an Ihr Mailprogramm übergeben</translation>
  </message>
  <message>
   <source>has {value}</source>
   <translation>hat {value}</translation>
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
   <translation>verborgener Text</translation>
  </message>
  <message>
   <source>ignored</source>
   <translation>ignoriert</translation>
  </message>
  <message>
   <source>ignoring or restoring a word</source>
   <translation>ein Wort ignorieren oder wieder verwenden</translation>
  </message>
  <message>
   <source>import</source>
   <translation>Import</translation>
  </message>
  <message>
   <source>importing a model</source>
   <translation>ein Modell importieren</translation>
  </message>
  <message>
   <source>in good mail</source>
   <translation>in guter Mail</translation>
  </message>
  <message>
   <source>in spam</source>
   <translation>in Spam</translation>
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
   <source>leaning not spam</source>
   <translation>eher kein Spam</translation>
  </message>
  <message>
   <source>leaning spam</source>
   <translation>eher Spam</translation>
  </message>
  <message>
   <source>learned corrections</source>
   <translation>Korrekturen</translation>
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
   <source>link</source>
   <translation>Link</translation>
  </message>
  <message>
   <source>link address</source>
   <translation>Linkadresse</translation>
  </message>
  <message>
   <source>links</source>
   <translation>Links</translation>
  </message>
  <message>
   <source>mail</source>
   <translation>Mail</translation>
  </message>
  <message>
   <source>mail files</source>
   <translation>Maildateien</translation>
  </message>
  <message>
   <source>mail of this mailing list</source>
   <translation>Mail dieser Mailingliste</translation>
  </message>
  <message>
   <source>mail of this sender</source>
   <translation>Mail dieses Absenders</translation>
  </message>
  <message>
   <source>mail over IMAP</source>
   <translation>Mail über IMAP</translation>
  </message>
  <message>
   <source>mail program</source>
   <translation>Mailprogramm</translation>
  </message>
  <message>
   <source>mailing list</source>
   <translation>Mailingliste</translation>
  </message>
  <message>
   <source>marking %n message as not spam</source>
   <translation>%n Nachricht als kein Spam markieren</translation>
  </message>
  <message>
   <source>marking %n message as read</source>
   <translation>%n Nachricht als gelesen markieren</translation>
  </message>
  <message>
   <source>marking %n message as spam</source>
   <translation>%n Nachricht als Spam markieren</translation>
  </message>
  <message>
   <source>marking %n messages as not spam</source>
   <translation>%n Nachrichten als kein Spam markieren</translation>
  </message>
  <message>
   <source>marking %n messages as read</source>
   <translation>%n Nachrichten als gelesen markieren</translation>
  </message>
  <message>
   <source>marking %n messages as spam</source>
   <translation>%n Nachrichten als Spam markieren</translation>
  </message>
  <message>
   <source>marking “{subject}” as not spam</source>
   <translation>„{subject}“ als kein Spam markieren</translation>
  </message>
  <message>
   <source>marking “{subject}” as spam</source>
   <translation>„{subject}“ als Spam markieren</translation>
  </message>
  <message>
   <source>marks</source>
   <translation>Markierungen</translation>
  </message>
  <message>
   <source>mean</source>
   <translation>Mittelwert</translation>
  </message>
  <message>
   <source>mean of the posterior</source>
   <translation>Mittelwert der A-posteriori-Verteilung</translation>
  </message>
  <message>
   <source>message ID</source>
   <translation>Nachrichten-ID</translation>
  </message>
  <message>
   <source>message ID from another server</source>
   <translation>Nachrichten-ID von einem anderen Server</translation>
  </message>
  <message>
   <source>message ID from the sender's server</source>
   <translation>Nachrichten-ID vom Server des Absenders</translation>
  </message>
  <message>
   <source>messages</source>
   <translation>Nachrichten</translation>
  </message>
  <message>
   <source>mode</source>
   <translation>Modus</translation>
  </message>
  <message>
   <source>mode of the posterior</source>
   <translation>Modus der A-posteriori-Verteilung</translation>
  </message>
  <message>
   <source>moving %n message</source>
   <translation>%n Nachricht verschieben</translation>
  </message>
  <message>
   <source>moving %n message to {folder}</source>
   <translation>%n Nachricht nach {folder} verschieben</translation>
  </message>
  <message>
   <source>moving %n messages</source>
   <translation>%n Nachrichten verschieben</translation>
  </message>
  <message>
   <source>moving %n messages to {folder}</source>
   <translation>%n Nachrichten nach {folder} verschieben</translation>
  </message>
  <message>
   <source>name of the folder</source>
   <translation>Name des Ordners</translation>
  </message>
  <message>
   <source>nbmail</source>
   <translation>nbmail</translation>
  </message>
  <message>
   <source>nbmail (J and K, ! for spam)</source>
   <translation>nbmail (J und K, ! für Spam)</translation>
  </message>
  <message>
   <source>nbmail asks for passwords and sign-ins at every start and doesn't store them.</source>
   <translation>nbmail fragt bei jedem Start nach Passwörtern und Anmeldungen und speichert sie nicht.</translation>
  </message>
  <message>
   <source>nbmail asks once if the system has a keyring, otherwise at every start. It has not connected yet.</source>
   <translation>nbmail fragt einmal, wenn das System einen Schlüsselbund hat, sonst bei jedem Start. Es wurde noch keine Verbindung aufgebaut.</translation>
  </message>
  <message>
   <source>nbmail can create one. You can also choose another folder in the account settings.</source>
   <translation>nbmail kann einen anlegen. Sie können in den Kontoeinstellungen auch einen anderen Ordner wählen.</translation>
  </message>
  <message>
   <source>nbmail can move spam out of the inbox as it arrives.</source>
   <translation>nbmail kann Spam gleich bei der Ankunft aus dem Posteingang verschieben.</translation>
  </message>
  <message>
   <source>nbmail can use {ours} of its {n} words and already knows {known} of them.</source>
   <translation>nbmail kann {ours} der {n} Wörter verwenden und kennt {known} davon schon.</translation>
  </message>
  <message>
   <source>nbmail can't move spam in {account}: no spam folder was found.</source>
   <translation>nbmail kann in {account} keinen Spam verschieben: Es wurde kein Spam-Ordner gefunden.</translation>
  </message>
  <message>
   <source>nbmail can't read from or write to the disk.</source>
   <translation>nbmail kann den Datenträger nicht lesen oder beschreiben.</translation>
  </message>
  <message>
   <source>nbmail can't use the system keyring.</source>
   <translation>nbmail kann den Schlüsselbund des Systems nicht verwenden.</translation>
  </message>
  <message>
   <source>nbmail can't use this model file.</source>
   <translation>nbmail kann diese Modelldatei nicht verwenden.</translation>
  </message>
  <message>
   <source>nbmail checks watched folders for new mail. From a training folder, it learns every message as spam or not spam. From suggested folders, it learns where to move your mail.</source>
   <translation>nbmail prüft überwachte Ordner auf neue Mail. Aus einem Trainingsordner lernt es jede Nachricht als Spam oder kein Spam. Aus vorgeschlagenen Ordnern lernt es, wohin Ihre Nachrichten gehören.</translation>
  </message>
  <message>
   <source>nbmail classifies it as not spam.</source>
   <translation>nbmail stuft sie als kein Spam ein.</translation>
  </message>
  <message>
   <source>nbmail classifies it as spam.</source>
   <translation>nbmail stuft sie als Spam ein.</translation>
  </message>
  <message>
   <source>nbmail classifies {n} of them as not spam.</source>
   <translation>nbmail stuft {n} davon als kein Spam ein.</translation>
  </message>
  <message>
   <source>nbmail classifies {n} of them as spam.</source>
   <translation>nbmail stuft {n} davon als Spam ein.</translation>
  </message>
  <message>
   <source>nbmail connects again after you sign in. No marks are lost.</source>
   <translation>Nach der Anmeldung verbindet sich nbmail wieder. Es gehen keine Markierungen verloren.</translation>
  </message>
  <message>
   <source>nbmail doesn't know any word of this message yet. Mark some messages to see the reasons here.</source>
   <translation>nbmail kennt noch kein Wort dieser Nachricht. Markieren Sie einige Nachrichten, um hier die Gründe zu sehen.</translation>
  </message>
  <message>
   <source>nbmail doesn't know this word yet.</source>
   <translation>nbmail kennt dieses Wort noch nicht.</translation>
  </message>
  <message>
   <source>nbmail doesn't store or learn from these messages.</source>
   <translation>nbmail speichert diese Nachrichten nicht und lernt nicht aus ihnen.</translation>
  </message>
  <message>
   <source>nbmail doesn't unsubscribe from spam: it would tell the sender that you exist.</source>
   <translation>nbmail meldet Sie nicht von Spam ab: Der Absender würde erfahren, dass es Sie gibt.</translation>
  </message>
  <message>
   <source>nbmail downloads mail again and restores its marks. Imports, ignored words and phrases are missing.</source>
   <translation>nbmail lädt die Mail neu und stellt ihre Markierungen wieder her. Importe, ignorierte Wörter und Wendungen fehlen.</translation>
  </message>
  <message>
   <source>nbmail has learned only good messages so far. Mark some spam to see the reasons here.</source>
   <translation>nbmail hat bisher nur gute Nachrichten gelernt. Markieren Sie etwas Spam, um hier die Gründe zu sehen.</translation>
  </message>
  <message>
   <source>nbmail has learned only spam so far. Mark some good messages to see the reasons here.</source>
   <translation>nbmail hat bisher nur Spam gelernt. Markieren Sie einige gute Nachrichten, um hier die Gründe zu sehen.</translation>
  </message>
  <message>
   <source>nbmail has no client ID at {provider} yet. To sign in there, use your own client ID.</source>
   <translation>nbmail hat bei {provider} noch keine Client-ID. Verwenden Sie für die Anmeldung dort eine eigene Client-ID.</translation>
  </message>
  <message>
   <source>nbmail has no client ID at {provider} yet. Use an app password if there is one, or your own client ID.</source>
   <translation>nbmail hat bei {provider} noch keine Client-ID. Verwenden Sie ein App-Passwort, falls es eines gibt, oder eine eigene Client-ID.</translation>
  </message>
  <message>
   <source>nbmail has no list of folders yet.</source>
   <translation>nbmail kennt die Ordner noch nicht.</translation>
  </message>
  <message>
   <source>nbmail has no permission to write to its data folder.</source>
   <translation>nbmail hat keine Schreibrechte in seinem Datenordner.</translation>
  </message>
  <message>
   <source>nbmail has not scored this message yet.</source>
   <translation>nbmail hat diese Nachricht noch nicht bewertet.</translation>
  </message>
  <message>
   <source>nbmail has rewritten it and kept the damaged file.</source>
   <translation>nbmail hat sie neu geschrieben und die beschädigte Datei aufgehoben.</translation>
  </message>
  <message>
   <source>nbmail has run into an internal error.</source>
   <translation>In nbmail ist ein interner Fehler aufgetreten.</translation>
  </message>
  <message>
   <source>nbmail is already running.</source>
   <translation>nbmail läuft bereits.</translation>
  </message>
  <message>
   <source>nbmail is not registered with this mail provider.</source>
   <translation>nbmail ist bei diesem Mailanbieter nicht registriert.</translation>
  </message>
  <message>
   <source>nbmail is opening in a new window.</source>
   <translation>nbmail wird in einem neuen Fenster geöffnet.</translation>
  </message>
  <message>
   <source>nbmail keeps retrying.</source>
   <translation>nbmail versucht es weiter.</translation>
  </message>
  <message>
   <source>nbmail knows the server of {provider}, {host}, but has not reached it: {reason}</source>
   <translation>nbmail kennt den Server von {provider}, {host}, hat ihn aber nicht erreicht: {reason}</translation>
  </message>
  <message>
   <source>nbmail model</source>
   <translation>nbmail-Modell</translation>
  </message>
  <message>
   <source>nbmail needs a new sign-in at your mail provider.</source>
   <translation>nbmail braucht eine neue Anmeldung bei Ihrem Mailanbieter.</translation>
  </message>
  <message>
   <source>nbmail needs the password for this account.</source>
   <translation>nbmail benötigt das Passwort für dieses Konto.</translation>
  </message>
  <message>
   <source>nbmail never moves mail on this computer.</source>
   <translation>nbmail verschiebt nie Mails auf diesem Computer.</translation>
  </message>
  <message>
   <source>nbmail now uses this method: {method}. All scores are updated.</source>
   <translation>nbmail verwendet jetzt dieses Verfahren: {method}. Alle Bewertungen sind aktualisiert.</translation>
  </message>
  <message>
   <source>nbmail reads your mail over IMAP. It moves messages only if you turn that on.</source>
   <translation>nbmail liest Ihre Mail über IMAP. Nachrichten verschiebt es nur, wenn Sie das einschalten.</translation>
  </message>
  <message>
   <source>nbmail restored %n marks from labels.log, which the file with your marks lacked.</source>
   <translation>nbmail hat %n Markierungen aus labels.log wiederhergestellt, die in der Datei mit Ihren Markierungen fehlten.</translation>
  </message>
  <message>
   <source>nbmail restored 1 mark from labels.log, which the file with your marks lacked.</source>
   <translation>nbmail hat 1 Markierung aus labels.log wiederhergestellt, die in der Datei mit Ihren Markierungen fehlte.</translation>
  </message>
  <message>
   <source>nbmail restored it and no marks were lost. Find out which program deletes files in the data folder.</source>
   <translation>nbmail hat sie wiederhergestellt, und keine Markierungen gingen verloren. Finden Sie heraus, welches Programm Dateien im Datenordner löscht.</translation>
  </message>
  <message>
   <source>nbmail saves a backup of the model first, and you can undo the reset. Your mail is not deleted.</source>
   <translation>nbmail speichert zuerst eine Sicherung des Modells, und Sie können das Zurücksetzen rückgängig machen. Ihre Mail wird nicht gelöscht.</translation>
  </message>
  <message>
   <source>nbmail saves a backup of the model first. Your marks don't change, and you can cancel at any time.</source>
   <translation>nbmail speichert zuerst eine Sicherung des Modells. Ihre Markierungen ändern sich nicht, und Sie können jederzeit abbrechen.</translation>
  </message>
  <message>
   <source>nbmail sends one request to {host}, without cookies. The server learns your IP address and which message you received.</source>
   <translation>nbmail sendet eine Anfrage an {host}, ohne Cookies. Der Server erfährt Ihre IP-Adresse und welche Nachricht Sie bekommen haben.</translation>
  </message>
  <message>
   <source>nbmail stores it in the system keyring if there is one, and sends it only to your mail server.</source>
   <translation>nbmail speichert es im Schlüsselbund des Systems, wenn es einen gibt, und sendet es nur an Ihren Mailserver.</translation>
  </message>
  <message>
   <source>nbmail tests each mark with a model that has not learned it.</source>
   <translation>nbmail testet jede Markierung mit einem Modell, das sie nicht gelernt hat.</translation>
  </message>
  <message>
   <source>nbmail will reconnect automatically.</source>
   <translation>nbmail verbindet sich automatisch neu.</translation>
  </message>
  <message>
   <source>nbmail {version}</source>
   <translation>nbmail {version}</translation>
  </message>
  <message>
   <source>nbmail – Demo</source>
   <translation>nbmail – Demo</translation>
  </message>
  <message>
   <source>nbmail, filed</source>
   <translation>nbmail, eingeordnet</translation>
  </message>
  <message>
   <source>nbmail, moved</source>
   <translation>nbmail sortiert</translation>
  </message>
  <message>
   <source>network {value}</source>
   <translation>Netz {value}</translation>
  </message>
  <message>
   <source>next</source>
   <translation>nächste</translation>
  </message>
  <message>
   <source>no HTML tags</source>
   <translation>keine HTML-Tags</translation>
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
   <source>no content type</source>
   <translation>kein Inhaltstyp</translation>
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
   <source>no encrypted connection offered.</source>
   <translation>keine verschlüsselte Verbindung angeboten.</translation>
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
   <source>no linked servers</source>
   <translation>keine verlinkten Server</translation>
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
   <source>no messages to test</source>
   <translation>keine Nachrichten zum Testen</translation>
  </message>
  <message>
   <source>no non-English letters</source>
   <translation>keine nicht-englischen Buchstaben</translation>
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
   <source>no recipients</source>
   <translation>keine Empfänger</translation>
  </message>
  <message>
   <source>no relay servers</source>
   <translation>keine Zwischenserver</translation>
  </message>
  <message>
   <source>no sender address</source>
   <translation>keine Absenderadresse</translation>
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
   <source>no words</source>
   <translation>keine Wörter</translation>
  </message>
  <message>
   <source>no {check}</source>
   <translation>keine {check}</translation>
  </message>
  <message>
   <source>not encrypted</source>
   <translation>nicht verschlüsselt</translation>
  </message>
  <message>
   <source>not spam</source>
   <translation>kein Spam</translation>
  </message>
  <message>
   <source>not suggested below {count} messages</source>
   <translation>unter {count} Nachrichten kein Vorschlag</translation>
  </message>
  <message>
   <source>number of values</source>
   <translation>Zahl der Werte</translation>
  </message>
  <message>
   <source>on the training mail itself</source>
   <translation>bei den Trainings-E-Mails selbst</translation>
  </message>
  <message>
   <source>one of three right</source>
   <translation>einer von dreien richtig</translation>
  </message>
  <message>
   <source>one word mixes several alphabets</source>
   <translation>ein Wort mischt mehrere Alphabete</translation>
  </message>
  <message>
   <source>organization</source>
   <translation>Organisation</translation>
  </message>
  <message>
   <source>origin</source>
   <translation>Herkunft</translation>
  </message>
  <message>
   <source>other</source>
   <translation>Sonstiges</translation>
  </message>
  <message>
   <source>other program</source>
   <translation>anderes Programm</translation>
  </message>
  <message>
   <source>passed the {check}</source>
   <translation>{check} bestanden</translation>
  </message>
  <message>
   <source>percent</source>
   <translation>Prozent</translation>
  </message>
  <message>
   <source>phrase</source>
   <translation>Wendung</translation>
  </message>
  <message>
   <source>plain text</source>
   <translation>reiner Text</translation>
  </message>
  <message>
   <source>plain text and HTML</source>
   <translation>reiner Text und HTML</translation>
  </message>
  <message>
   <source>plain text only</source>
   <translation>nur reiner Text</translation>
  </message>
  <message>
   <source>predicted</source>
   <translation>vorhergesagt</translation>
  </message>
  <message>
   <source>previous</source>
   <translation>vorige</translation>
  </message>
  <message>
   <source>prior</source>
   <translation>Prior</translation>
  </message>
  <message>
   <source>priority</source>
   <translation>Priorität</translation>
  </message>
  <message>
   <source>probability in a message: mean ± standard deviation</source>
   <translation>Wahrscheinlichkeit je Nachricht: Mittelwert ± Standardabweichung</translation>
  </message>
  <message>
   <source>probably {name}</source>
   <translation>wahrscheinlich {name}</translation>
  </message>
  <message>
   <source>reasons</source>
   <translation>Gründe</translation>
  </message>
  <message>
   <source>received by {value}</source>
   <translation>empfangen von {value}</translation>
  </message>
  <message>
   <source>recipients</source>
   <translation>Empfänger</translation>
  </message>
  <message>
   <source>rehearsed</source>
   <translation>Probe</translation>
  </message>
  <message>
   <source>removing the flag of %n message</source>
   <translation>Kennzeichen von %n Nachricht entfernen</translation>
  </message>
  <message>
   <source>removing the flags of %n messages</source>
   <translation>Kennzeichen von %n Nachrichten entfernen</translation>
  </message>
  <message>
   <source>replies go to another address</source>
   <translation>Antworten gehen an eine andere Adresse</translation>
  </message>
  <message>
   <source>replies go to the sender</source>
   <translation>Antworten gehen an den Absender</translation>
  </message>
  <message>
   <source>reply</source>
   <translation>Antwort</translation>
  </message>
  <message>
   <source>reply address</source>
   <translation>Antwortadresse</translation>
  </message>
  <message>
   <source>resetting the training</source>
   <translation>das Training zurücksetzen</translation>
  </message>
  <message>
   <source>restoring %n earlier mark</source>
   <translation>%n frühere Markierung wiederherstellen</translation>
  </message>
  <message>
   <source>restoring %n earlier marks</source>
   <translation>%n frühere Markierungen wiederherstellen</translation>
  </message>
  <message>
   <source>route</source>
   <translation>Weg</translation>
  </message>
  <message>
   <source>search</source>
   <translation>suchen</translation>
  </message>
  <message>
   <source>seed </source>
   <translation>Startwert </translation>
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
   <source>sender not known from your sent mail</source>
   <translation>Absender nicht aus Ihren gesendeten Nachrichten bekannt</translation>
  </message>
  <message>
   <source>sending address</source>
   <translation>Versandadresse</translation>
  </message>
  <message>
   <source>sent between 4 and 8 am</source>
   <translation>zwischen 4 und 8 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between 4 and 8 pm</source>
   <translation>zwischen 16 und 20 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between 8 am and noon</source>
   <translation>zwischen 8 und 12 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between 8 pm and midnight</source>
   <translation>zwischen 20 Uhr und Mitternacht gesendet</translation>
  </message>
  <message>
   <source>sent between midnight and 4 am</source>
   <translation>zwischen Mitternacht und 4 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent between noon and 4 pm</source>
   <translation>zwischen 12 und 16 Uhr gesendet</translation>
  </message>
  <message>
   <source>sent from the sender's own domain</source>
   <translation>von der eigenen Domain des Absenders gesendet</translation>
  </message>
  <message>
   <source>sent mail</source>
   <translation>Gesendet</translation>
  </message>
  <message>
   <source>sent on a {day}</source>
   <translation>an einem {day} gesendet</translation>
  </message>
  <message>
   <source>sent on behalf of the sender</source>
   <translation>im Auftrag des Absenders gesendet</translation>
  </message>
  <message>
   <source>server name ending in {value}</source>
   <translation>Servername endet auf {value}</translation>
  </message>
  <message>
   <source>server note “{value}”</source>
   <translation>Serververmerk „{value}“</translation>
  </message>
  <message>
   <source>several parts</source>
   <translation>mehrere Teile</translation>
  </message>
  <message>
   <source>several sender addresses</source>
   <translation>mehrere Absenderadressen</translation>
  </message>
  <message>
   <source>shown below</source>
   <translation>unten angezeigt</translation>
  </message>
  <message>
   <source>shows a different address than it opens</source>
   <translation>zeigt eine andere Adresse, als er öffnet</translation>
  </message>
  <message>
   <source>signature check (ARC)</source>
   <translation>Signaturprüfung (ARC)</translation>
  </message>
  <message>
   <source>signature check (DKIM)</source>
   <translation>Signaturprüfung (DKIM)</translation>
  </message>
  <message>
   <source>signed by</source>
   <translation>signiert von</translation>
  </message>
  <message>
   <source>size up to {n}</source>
   <translation>Größe bis {n}</translation>
  </message>
  <message>
   <source>size {n}</source>
   <translation>Größe {n}</translation>
  </message>
  <message>
   <source>sorting the inbox</source>
   <translation>Sortieren des Posteingangs</translation>
  </message>
  <message>
   <source>spam</source>
   <translation>Spam</translation>
  </message>
  <message>
   <source>spam caught</source>
   <translation>Spam erkannt</translation>
  </message>
  <message>
   <source>spam, unsure</source>
   <translation>Spam, unsicher</translation>
  </message>
  <message>
   <source>spam, verdict not spam</source>
   <translation>Spam, Einstufung kein Spam</translation>
  </message>
  <message>
   <source>start of the text</source>
   <translation>Textanfang</translation>
  </message>
  <message>
   <source>starting point</source>
   <translation>Ausgangswert</translation>
  </message>
  <message>
   <source>starting point: even odds</source>
   <translation>Ausgangswert: 50 zu 50</translation>
  </message>
  <message>
   <source>starting point: {share} spam</source>
   <translation>Ausgangswert: {share} Spam</translation>
  </message>
  <message>
   <source>starts with “{value}”</source>
   <translation>beginnt mit „{value}“</translation>
  </message>
  <message>
   <source>subject</source>
   <translation>Betreff</translation>
  </message>
  <message>
   <source>subject of {n} characters</source>
   <translation>Betreff aus {n} Zeichen</translation>
  </message>
  <message>
   <source>suggested folder {folder}</source>
   <translation>vorgeschlagener Ordner {folder}</translation>
  </message>
  <message>
   <source>suggested folders</source>
   <translation>vorgeschlagene Ordner</translation>
  </message>
  <message>
   <source>text</source>
   <translation>Text</translation>
  </message>
  <message>
   <source>text in an attachment</source>
   <translation>Text in einem Anhang</translation>
  </message>
  <message>
   <source>text parts: {value}</source>
   <translation>Textteile: {value}</translation>
  </message>
  <message>
   <source>the folder “{folder}”</source>
   <translation>der Ordner „{folder}“</translation>
  </message>
  <message>
   <source>this conversation</source>
   <translation>diese Unterhaltung</translation>
  </message>
  <message>
   <source>time zone {value}</source>
   <translation>Zeitzone {value}</translation>
  </message>
  <message>
   <source>too few marks</source>
   <translation>zu wenige Markierungen</translation>
  </message>
  <message>
   <source>total</source>
   <translation>Summe</translation>
  </message>
  <message>
   <source>transferred by {value}</source>
   <translation>übertragen mit {value}</translation>
  </message>
  <message>
   <source>trash</source>
   <translation>Papierkorb</translation>
  </message>
  <message>
   <source>undecided</source>
   <translation>offen</translation>
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
   <source>unreadable date</source>
   <translation>unlesbares Datum</translation>
  </message>
  <message>
   <source>unsure</source>
   <translation>unsicher</translation>
  </message>
  <message>
   <source>verdict not spam</source>
   <translation>Einstufung kein Spam</translation>
  </message>
  <message>
   <source>verdict spam</source>
   <translation>Einstufung Spam</translation>
  </message>
  <message>
   <source>version contains {value}</source>
   <translation>Version enthält {value}</translation>
  </message>
  <message>
   <source>very clearly {name}</source>
   <translation>sehr deutlich {name}</translation>
  </message>
  <message>
   <source>which weighs a false alarm like checking %n message yourself.</source>
   <translation>die einen Fehlalarm so gewichtet wie das Prüfen von %n Nachricht.</translation>
  </message>
  <message>
   <source>which weighs a false alarm like checking %n messages yourself.</source>
   <translation>die einen Fehlalarm so gewichtet wie das Prüfen von %n Nachrichten.</translation>
  </message>
  <message>
   <source>with attachments</source>
   <translation>mit Anhängen</translation>
  </message>
  <message>
   <source>word counts</source>
   <translation>Worthäufigkeiten</translation>
  </message>
  <message>
   <source>word pair</source>
   <translation>Wortpaar</translation>
  </message>
  <message>
   <source>you</source>
   <translation>Sie</translation>
  </message>
  <message>
   <source>you (redo)</source>
   <translation>Sie (wiederholt)</translation>
  </message>
  <message>
   <source>you (reset)</source>
   <translation>Sie (zurückgesetzt)</translation>
  </message>
  <message>
   <source>you (restored)</source>
   <translation>Sie (wiederhergestellt)</translation>
  </message>
  <message>
   <source>you (undo)</source>
   <translation>Sie (rückgängig)</translation>
  </message>
  <message>
   <source>you wrote to this address</source>
   <translation>Sie haben dieser Adresse geschrieben</translation>
  </message>
  <message>
   <source>you wrote to this address %n times</source>
   <translation>Sie haben dieser Adresse %n-mal geschrieben</translation>
  </message>
  <message>
   <source>you wrote to this address %n times, and your mail server confirmed the sender</source>
   <translation>Sie haben dieser Adresse %n-mal geschrieben, und Ihr Mailserver hat den Absender bestätigt</translation>
  </message>
  <message>
   <source>you wrote to this address once</source>
   <translation>Sie haben dieser Adresse einmal geschrieben</translation>
  </message>
  <message>
   <source>you wrote to this address once, and your mail server confirmed the sender</source>
   <translation>Sie haben dieser Adresse einmal geschrieben, und Ihr Mailserver hat den Absender bestätigt</translation>
  </message>
  <message>
   <source>you wrote to this address, and your mail server confirmed the sender</source>
   <translation>Sie haben dieser Adresse geschrieben, und Ihr Mailserver hat den Absender bestätigt</translation>
  </message>
  <message>
   <source>your filing</source>
   <translation>Ihre Ablage</translation>
  </message>
  <message>
   <source>your provider's page for developers</source>
   <translation>der Entwicklerseite Ihres Anbieters</translation>
  </message>
  <message>
   <source>your rule</source>
   <translation>Ihre Regel</translation>
  </message>
  <message>
   <source>{account} is offline. nbmail loads the rest when it is back online.</source>
   <translation>{account} ist offline. nbmail lädt den Rest, sobald das Konto wieder online ist.</translation>
  </message>
  <message>
   <source>{account}: learning from folders has stopped.</source>
   <translation>{account}: Das Lernen aus Ordnern wurde beendet.</translation>
  </message>
  <message>
   <source>{address} (shown name: “{name}”)</source>
   <translation>{address} (angezeigter Name: „{name}“)</translation>
  </message>
  <message>
   <source>{chance} chance of spam</source>
   <translation>Spam-Wahrscheinlichkeit {chance}</translation>
  </message>
  <message>
   <source>{check}: {value}</source>
   <translation>{check}: {value}</translation>
  </message>
  <message>
   <source>{count} filed messages: the first suggestion was right for {first}, one of the three for {three}.</source>
   <translation>{count} eingeordnete Nachrichten: Der erste Vorschlag war bei {first} richtig, einer der drei bei {three}.</translation>
  </message>
  <message>
   <source>{count} folders</source>
   <translation>{count} Ordner</translation>
  </message>
  <message>
   <source>{count} marks cleared.</source>
   <translation>{count} Markierungen entfernt.</translation>
  </message>
  <message>
   <source>{count} messages marked as {name}.</source>
   <translation>{count} Nachrichten als {name} markiert.</translation>
  </message>
  <message>
   <source>{count} mostly weak reasons point to good mail. The strongest: {words}.</source>
   <translation>{count} meist schwache Gründe deuten auf gute Mail. Die stärksten: {words}.</translation>
  </message>
  <message>
   <source>{count} mostly weak reasons point to spam. The strongest: {words}.</source>
   <translation>{count} meist schwache Gründe deuten auf Spam. Die stärksten: {words}.</translation>
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
   <source>{day}: {messages}</source>
   <translation>{day}: {messages}</translation>
  </message>
  <message>
   <source>{folder} is empty.</source>
   <translation>{folder} ist leer.</translation>
  </message>
  <message>
   <source>{folder} – {account}</source>
   <translation>{folder} – {account}</translation>
  </message>
  <message>
   <source>{folder}: {done} of {total}</source>
   <translation>{folder}: {done} von {total}</translation>
  </message>
  <message>
   <source>{folder}: {found} of {count} right</source>
   <translation>{folder}: {found} von {count} richtig</translation>
  </message>
  <message>
   <source>{folder}: {found} of {count} right, not enough to file automatically</source>
   <translation>{folder}: {found} von {count} richtig, zu wenig zum automatischen Einordnen</translation>
  </message>
  <message>
   <source>{found} of {count}</source>
   <translation>{found} von {count}</translation>
  </message>
  <message>
   <source>{host} accepted the request to unsubscribe (status {status}).</source>
   <translation>{host} hat die Abmeldung angenommen (Status {status}).</translation>
  </message>
  <message>
   <source>{host} did not accept the request to unsubscribe (status {status}).</source>
   <translation>{host} hat die Abmeldung nicht angenommen (Status {status}).</translation>
  </message>
  <message>
   <source>{host}, port {port}</source>
   <translation>{host}, Port {port}</translation>
  </message>
  <message>
   <source>{labels} {counted}: {shares}</source>
   <translation>{labels} {counted}: {shares}</translation>
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
   <source>{messages}, by day, nearest to the spam threshold first</source>
   <translation>{messages}, nach Tagen, der Spam-Schwelle am nächsten zuerst</translation>
  </message>
  <message>
   <source>{method}: each point is a model trained on that number of marks and tested on {count} newer messages.</source>
   <translation>{method}: Jeder Punkt ist ein Modell, das mit so vielen Markierungen trainiert und an {count} neueren Nachrichten getestet wurde.</translation>
  </message>
  <message>
   <source>{most} and {last}</source>
   <translation>{most} und {last}</translation>
  </message>
  <message>
   <source>{moved} moved, {near} near the spam threshold.</source>
   <translation>{moved} verschoben, {near} nahe der Spam-Schwelle.</translation>
  </message>
  <message>
   <source>{name} (imported as {label})</source>
   <translation>{name} (importiert als {label})</translation>
  </message>
  <message>
   <source>{name} contains no {owner} training.</source>
   <translation>{name} enthält kein Training von {owner}.</translation>
  </message>
  <message>
   <source>{name} is a program disguised as a {kind} file.</source>
   <translation>{name} ist ein Programm, das als {kind}-Datei getarnt ist.</translation>
  </message>
  <message>
   <source>{name} is a program or can start one.</source>
   <translation>{name} ist ein Programm oder kann eines starten.</translation>
  </message>
  <message>
   <source>{name} is a program, despite its name.</source>
   <translation>{name} ist trotz seines Namens ein Programm.</translation>
  </message>
  <message>
   <source>{name} is a web page. It may imitate a sign-in page to steal your password.</source>
   <translation>{name} ist eine Webseite. Sie kann eine Anmeldeseite nachahmen, um Ihr Passwort zu stehlen.</translation>
  </message>
  <message>
   <source>{name} is an archive. nbmail has not checked its contents.</source>
   <translation>{name} ist ein Archiv. nbmail hat seinen Inhalt nicht geprüft.</translation>
  </message>
  <message>
   <source>{name} may contain macros, which can run harmful code.</source>
   <translation>{name} kann Makros enthalten, die schädlichen Code ausführen können.</translation>
  </message>
  <message>
   <source>{name} opens a web page, a folder or another computer.</source>
   <translation>{name} öffnet eine Webseite, einen Ordner oder einen anderen Computer.</translation>
  </message>
  <message>
   <source>{name}: {owner} training. Messages: {list}.</source>
   <translation>{name}: Training von {owner}. Nachrichten: {list}.</translation>
  </message>
  <message>
   <source>{n} HTML tags</source>
   <translation>{n} HTML-Tags</translation>
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
   <source>{n} linked servers</source>
   <translation>{n} verlinkte Server</translation>
  </message>
  <message>
   <source>{n} links</source>
   <translation>{n} Links</translation>
  </message>
  <message>
   <source>{n} non-English letters</source>
   <translation>{n} nicht-englische Buchstaben</translation>
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
   <source>{n} relay servers</source>
   <translation>{n} Zwischenserver</translation>
  </message>
  <message>
   <source>{n} words</source>
   <translation>{n} Wörter</translation>
  </message>
  <message>
   <source>{one} with {other}</source>
   <translation>{one} mit {other}</translation>
  </message>
  <message>
   <source>{percent} chance of spam</source>
   <translation>Spam-Wahrscheinlichkeit {percent}</translation>
  </message>
  <message>
   <source>{percent} when it arrived.</source>
   <translation>{percent} beim Eintreffen.</translation>
  </message>
  <message>
   <source>{place} of {total} unsure messages</source>
   <translation>{place} von {total} unsicheren</translation>
  </message>
  <message>
   <source>{provider} accepts no passwords, only a sign-in on its own web page.</source>
   <translation>{provider} nimmt keine Passwörter an, nur eine Anmeldung auf der eigenen Webseite.</translation>
  </message>
  <message>
   <source>{provider} needs its own bridge program on this computer. Start it and enter the password it shows.</source>
   <translation>{provider} benötigt ein eigenes Programm (Bridge) auf diesem Computer. Starten Sie es, und geben Sie das dort angezeigte Passwort ein.</translation>
  </message>
  <message>
   <source>{provider} requires an app password. Create one for nbmail and enter it instead of your usual password.</source>
   <translation>{provider} verlangt ein App-Passwort. Erstellen Sie eines für nbmail, und geben Sie es anstelle Ihres üblichen Passworts ein.</translation>
  </message>
  <message>
   <source>{said} on {when}.</source>
   <translation>{said} ({when}).</translation>
  </message>
  <message>
   <source>{said}, received on {when}.</source>
   <translation>{said} (empfangen am {when}).</translation>
  </message>
  <message>
   <source>{said}.</source>
   <translation>{said}.</translation>
  </message>
  <message>
   <source>{said}. nbmail's current verdict: {verdict}.</source>
   <translation>{said}. Aktuelle Einstufung von nbmail: {verdict}.</translation>
  </message>
  <message>
   <source>{said}: {chance} chance of spam</source>
   <translation>{said}: Spam-Wahrscheinlichkeit {chance}</translation>
  </message>
  <message>
   <source>{sender}: {rule}.</source>
   <translation>{sender}: {rule}.</translation>
  </message>
  <message>
   <source>{sorted}, {near} near the spam threshold.</source>
   <translation>{sorted}, {near} davon nahe der Spam-Schwelle.</translation>
  </message>
  <message>
   <source>{verdict}, {chance} chance of spam</source>
   <translation>{verdict}, Spam-Wahrscheinlichkeit {chance}</translation>
  </message>
  <message>
   <source>{what} for the biggest improvement.</source>
   <translation>{what}, um am meisten zu verbessern.</translation>
  </message>
  <message>
   <source>{when} ({time} for the sender)</source>
   <translation>{when} ({time} beim Absender)</translation>
  </message>
  <message>
   <source>{where}: asking…</source>
   <translation>{where}: wird gefragt …</translation>
  </message>
  <message>
   <source>{where}: connecting…</source>
   <translation>{where}: Verbindung …</translation>
  </message>
  <message>
   <source>{where}: encrypted connection works.</source>
   <translation>{where}: verschlüsselte Verbindung funktioniert.</translation>
  </message>
  <message>
   <source>{where}: no settings.</source>
   <translation>{where}: keine Einstellungen.</translation>
  </message>
  <message>
   <source>{words} point to good mail.</source>
   <translation>{words} deuten auf gute Mail.</translation>
  </message>
  <message>
   <source>{words} point to spam.</source>
   <translation>{words} deuten auf Spam.</translation>
  </message>
  <message>
   <source>{words} points to good mail.</source>
   <translation>{words} deutet auf gute Mail.</translation>
  </message>
  <message>
   <source>{words} points to spam.</source>
   <translation>{words} deutet auf Spam.</translation>
  </message>
  <message>
   <source>{word}: in {spam} spam and {ham} good messages; log-ratio {ratio}; {amount}</source>
   <translation>{word}: in {spam} Spam- und {ham} guten Nachrichten; Log-Quotient {ratio}; {amount}</translation>
  </message>
  <message>
   <source>{word}: spam {spam}, good mail {ham} (mean ± standard deviation); log-ratio {ratio}; {amount}</source>
   <translation>{word}: Spam {spam}, gute E-Mails {ham} (Mittelwert ± Standardabweichung); Log-Quotient {ratio}; {amount}</translation>
  </message>
  <message>
   <source>{work} {share} %</source>
   <translation>{work} {share} %</translation>
  </message>
  <message>
   <source>“{letter}” ({script})</source>
   <translation>„{letter}“ ({script})</translation>
  </message>
  <message>
   <source>“{subject}” is marked as not spam again</source>
   <translation>„{subject}“ ist wieder als kein Spam markiert</translation>
  </message>
  <message>
   <source>“{subject}” is marked as spam again</source>
   <translation>„{subject}“ ist wieder als Spam markiert</translation>
  </message>
  <message>
   <source>“{subject}” is no longer marked</source>
   <translation>„{subject}“ ist nicht mehr markiert</translation>
  </message>
  <message>
   <source>“{subject}” is no longer marked as not spam</source>
   <translation>„{subject}“ ist nicht mehr als kein Spam markiert</translation>
  </message>
  <message>
   <source>“{subject}” is no longer marked as spam</source>
   <translation>„{subject}“ ist nicht mehr als Spam markiert</translation>
  </message>
  <message>
   <source>“{subject}”: {folder} {chance}, {other} {less}. Positive lines favor {folder}.</source>
   <translation>„{subject}“: {folder} {chance}, {other} {less}. Positive Zeilen sprechen für {folder}.</translation>
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
   <source>“{word}” is now ignored in {count} places.</source>
   <translation>„{word}“ wird jetzt an {count} Stellen ignoriert.</translation>
  </message>
  <message>
   <source>“{word}” is now ignored.</source>
   <translation>„{word}“ wird jetzt ignoriert.</translation>
  </message>
  <message>
   <source>“{word}” is used again in {count} places.</source>
   <translation>„{word}“ wird an {count} Stellen wieder verwendet.</translation>
  </message>
  <message>
   <source>“{word}” is used again.</source>
   <translation>„{word}“ wird wieder verwendet.</translation>
  </message>
  <message>
   <source>✓  Folders with mail: {count}</source>
   <translation>✓  Ordner mit Mail: {count}</translation>
  </message>
  <message>
   <source>✓  Signed in to {host} as {user}, connection encrypted. Folders: {count}</source>
   <translation>✓  Bei {host} als {user} angemeldet, Verbindung verschlüsselt. Ordner: {count}</translation>
  </message>
  <message>
   <source>✓  Signed in to {host} as {user}, not encrypted: others can read your mail. Folders: {count}</source>
   <translation>✓  Bei {host} als {user} angemeldet, nicht verschlüsselt: Andere können Ihre Mail mitlesen. Ordner: {count}</translation>
  </message>
  <message>
   <source>✓  Signed in to {host} by {mechanism}, {safe}.</source>
   <translation>✓  Bei {host} angemeldet mit {mechanism}, {safe}.</translation>
  </message>
  <message>
   <source>✓  Used: {abilities}</source>
   <translation>✓  Genutzt: {abilities}</translation>
  </message>
  <message>
   <source>✓ Mail server confirmed the domain {domain}</source>
   <translation>✓ Der Mailserver hat die Domain {domain} bestätigt</translation>
  </message>
  <message>
   <source>✓ Yes</source>
   <translation>✓ Ja</translation>
  </message>
 </context>
</TS>
