/** A docstring as Markdown: the stars go, tags become lines, `{@link X}` becomes X. */
export function plain (text) {
  const lines = text.replaceAll(/^\/\*\*|\*\/$/gm, '').split('\n').map(line => line.replace(/^\s*\* ?/, ''))
  return lines.join('\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .replaceAll(/^@example\s*$/gm, '')
    .replaceAll(/^@param (\S+) ?/gm, '\n`$1`: ')
    .replaceAll(/^@returns? ?/gm, '\nGives: ')
    .replaceAll(/^@throws? ?/gm, '\nThrows: ')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}
