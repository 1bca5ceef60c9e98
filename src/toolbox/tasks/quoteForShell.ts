/** One word for the system's shell (`sh`, `cmd.exe`), whatever it holds; plain words stay as they are. */
export function quoteForShell(word: string, platform: NodeJS.Platform = process.platform): string {
  if (/^[\w@+=:,./-]+$/.test(word)) return word;
  return platform === 'win32' ? quoteForCmd(word) : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A quote ends what cmd.exe takes as it stands, and `%` is read even within quotes. */
function quoteForCmd(word: string): string {
  return `"${word.replaceAll('"', '""').replaceAll('%', '"^%"')}"`;
}
