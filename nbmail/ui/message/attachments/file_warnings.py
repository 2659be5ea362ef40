"""Warnings of files that are dangerous to open, by their names."""

from nbmail.ui.texts.language import tr


def _extensions(text: str) -> frozenset[str]:
    return frozenset(text.split())


PROGRAMS = _extensions(
    "action airx apk app appimage appinstaller application appref-ms applescript appx appxbundle "
    "bas bash bat bin chm class cmd com command cpl crx csh deb desktop deskthemepack diagcab "
    "diagcfg diagpkg dll dmg exe flatpakref gadget hlp hta htc img inf ins iso isp its jar jnlp js "
    "jse ksh lnk mpkg msc msh msh1 msh2 msi msix msixbundle msp mst msu ocx osx php pif pkg pl plg "
    "ppkg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyo pyw pyz pyzw rb reg rpm run scf scpt scptd scr "
    "sct settingcontent-ms sh shb shs snap sys terminal theme themepack tool vb vbe vbs vbscript "
    "vhd vhdx vsix vsto workflow ws wsb wsc wsf wsh xap xbap xll xnk xpi zsh"
)
"""Extensions of files that run when opened, or contain such files."""
LINKS = _extensions(
    "afploc atomloc dqy fileloc ftploc inetloc iqy library-ms odc oqy rdp rqy search-ms "
    "searchconnector-ms url vncloc webloc website"
)
"""Extensions of files that open another place when opened."""
MACROS = _extensions(
    "accda accdb accde accdr ade adp doc docm dot dotm mdb mde odb odp ods odt one pot potm ppa "
    "ppam pps ppsm ppt pptm pub sldm slk xla xlam xls xlsb xlsm xlt xltm xlw"
)
PAGES = _extensions("htm html mht mhtml shtml svg svgz xht xhtml xml xsl")
ARCHIVES = _extensions(
    "7z ace arj bz2 cab cpio gz lha lz lzh lzma r00 rar tar tbz2 tgz txz uue wim xz z zip zipx zst"
)
HARMLESS = _extensions(
    "avi csv doc docx gif jpeg jpg mp3 mp4 pdf png ppt pptx rtf txt xls xlsx zip"
)
"""Extensions that a disguised program puts in front of its own."""


def is_program(name: str) -> bool:
    return name.lower().rpartition(".")[2] in PROGRAMS


def warning(name: str) -> str:
    """Return the danger of opening a file, "" for harmless kinds."""
    *front, extension = name.lower().split(".")
    if not front:
        return ""
    claimed = front[-1]
    if len(front) > 1 and claimed in HARMLESS and extension in PROGRAMS:
        text = tr("{name} is a program disguised as a {kind} file.")
        return text.format(name=name, kind=claimed.upper())
    return _kind_warning(extension).format(name=name)


def _kind_warning(extension: str) -> str:
    """Return the danger of files with this extension, with a place for a name."""
    texts = {
        PROGRAMS: tr("{name} is a program or can start one."),
        LINKS: tr("{name} opens a web page, a folder or another computer."),
        MACROS: tr("{name} may contain macros, which can run harmful code."),
        PAGES: tr("{name} is a web page. It may imitate a sign-in page to steal your password."),
        ARCHIVES: tr("{name} is an archive. nbmail has not checked its contents."),
    }
    for extensions, text in texts.items():
        if extension in extensions:
            return text
    return ""
