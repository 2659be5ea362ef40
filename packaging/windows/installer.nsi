; Installs nbmail for the user who runs it: no administrator is needed, nothing is written outside the user's own folders.
Unicode true
SetCompressor /SOLID lzma
Name "nbmail"
OutFile "${TARGET}"
InstallDir "$LOCALAPPDATA\Programs\nbmail"
InstallDirRegKey HKCU "Software\nbmail" "Folder"
RequestExecutionLevel user
VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "nbmail"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Set up nbmail"
VIAddVersionKey "LegalCopyright" "The nbmail developers, MIT licence"
!include MUI2.nsh
!insertmacro MUI_PAGE_LICENSE "${FOLDER}/LICENSE.txt"
!insertmacro MUI_PAGE_COMPONENTS
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\pythonw.exe"
!define MUI_FINISHPAGE_RUN_PARAMETERS "-m nbmail"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\nbmail"

Section "nbmail"
  SectionIn RO
  SetOutPath "$INSTDIR"
  RMDir /r "$INSTDIR\nbmail"
  RMDir /r "$INSTDIR\libraries"
  File /r "${FOLDER}/*"
  CreateShortCut "$SMPROGRAMS\nbmail.lnk" "$INSTDIR\pythonw.exe" "-m nbmail"
  WriteRegStr HKCU "Software\nbmail" "Folder" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "nbmail"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
  WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
  WriteUninstaller "$INSTDIR\uninstall.exe"
SectionEnd

Section "Open .eml and .mbox files with nbmail"
  WriteRegStr HKCU "Software\Classes\nbmail.mail" "" "Mail"
  WriteRegStr HKCU "Software\Classes\nbmail.mail\shell\open\command" "" '"$INSTDIR\pythonw.exe" -m nbmail "%1"'
  WriteRegStr HKCU "Software\Classes\.eml\OpenWithProgids" "nbmail.mail" ""
  WriteRegStr HKCU "Software\Classes\.mbox\OpenWithProgids" "nbmail.mail" ""
SectionEnd

Section /o "Start nbmail when I log in"
  WriteRegStr HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "nbmail" '"$INSTDIR\pythonw.exe" -m nbmail --minimized'
SectionEnd

Section "Uninstall"
  Delete "$SMPROGRAMS\nbmail.lnk"
  DeleteRegValue HKCU "Software\Classes\.eml\OpenWithProgids" "nbmail.mail"
  DeleteRegValue HKCU "Software\Classes\.mbox\OpenWithProgids" "nbmail.mail"
  DeleteRegKey HKCU "Software\Classes\nbmail.mail"
  DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "nbmail"
  DeleteRegKey HKCU "Software\nbmail"
  DeleteRegKey HKCU "${UNINSTALL}"
  RMDir /r "$INSTDIR"
SectionEnd
