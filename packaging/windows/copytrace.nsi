; The installer for one person: no administrator, a shortcut in the Start menu, and everything gone again by Windows' own list of programs.
; makensis -DVERSION=0.1.0 -DFOLDER=(what the zip archive holds) -DOUTPUT=setup.exe copytrace.nsi
Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma
Name "copytrace ${VERSION}"
OutFile "${OUTPUT}"
Icon "crates/cli/windows/copytrace.ico"
UninstallIcon "crates/cli/windows/copytrace.ico"
RequestExecutionLevel user
InstallDir "$LOCALAPPDATA\Programs\copytrace"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "copytrace"
VIAddVersionKey FileDescription "copytrace, installer"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT OR Apache-2.0"

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\copytrace"
; What Windows' "Run" and the address bar of its Explorer find the program by.
!define RUN "Software\Microsoft\Windows\CurrentVersion\App Paths\copytrace.exe"

Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

Section
  SetOutPath "$INSTDIR"
  File "${FOLDER}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\copytrace.lnk" "$INSTDIR\copytrace.exe"
  WriteRegStr HKCU "${RUN}" "" "$INSTDIR\copytrace.exe"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "copytrace"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\copytrace.exe"
  WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
SectionEnd

; The files that it brought, one by one: the folder may hold reports by now.
Section Uninstall
!include "${FOLDER}.nsh"
  Delete "$INSTDIR\uninstall.exe"
  Delete "$SMPROGRAMS\copytrace.lnk"
  RMDir "$INSTDIR"
  DeleteRegKey HKCU "${RUN}"
  DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
