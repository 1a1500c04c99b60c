/** Names of files, as clients write them into forms. */

/**
 * The name in what a client wrote (storage.md, ST-32): what follows the last backslash of a Windows path, with the
 * quotes and characters that browsers write as `%22` and `&#8364;`.
 *
 * ```js
 * nameIn('C:\\photos\\me.png') // 'me.png'
 * ```
 */
export const nameIn = (written: string): string =>
  written
    .slice(written.lastIndexOf('\\') + 1)
    .replaceAll('%22', '"')
    .replace(/&#(\d{1,7});/g, (whole, digits: string) => {
      const code = Number(digits)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    })
