// Whether the files and folders that the documents name are there.
// Names are those in backticks that begin with a folder of the repository.
import { documents, exists, filesBelow, lineAt, read } from './files.mjs'

const named = /`((?:packages|test-fixtures|\.ci|\.changeset)\/[^`\s]+)`/g
/** Patterns, and names with a part left open (`packages/<name>/src`), stand for several files. */
const isPattern = name => /[*<>{}…]/.test(name)

export function checkNamedFiles () {
  const files = [...new Set([...filesBelow('packages/docs').filter(file => file.endsWith('.md')), ...documents()])]
  return files.flatMap(file => {
    const text = read(file)
    return Array.from(text.matchAll(named))
      .filter(([, name]) => !isPattern(name) && !exists(name.replace(/(?:#.*|:\d+|\/)$/, '')))
      .map(({ 1: name, index }) => `${file}:${lineAt(text, index)}: there is no ${name}`)
  })
}
