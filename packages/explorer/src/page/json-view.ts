/** JSON with colours. The text is exactly the JSON: what is selected and copied is that. */
import { element } from './dom.js'

const token = /("(?:[^"\\]|\\.?)*"?)(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Tokens that are coloured; what follows is plain: a page of a hundred thousand spans is slow. */
const coloured = 20_000

export function jsonText (text: string): DocumentFragment {
  const made = document.createDocumentFragment()
  let at = 0
  let count = 0
  for (const match of text.matchAll(token)) {
    if (++count > coloured) break
    const [all, string, colon, word] = match
    const kind = string === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'string' : 'key'
    const shown = string ?? all
    made.append(text.slice(at, match.index), element('span', { class: `json-${kind}` }, shown))
    at = match.index + shown.length
  }
  made.append(text.slice(at))
  return made
}
