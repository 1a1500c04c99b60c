/** JSON with colours. The text is exactly the JSON: what is selected and copied is that. */
import { useLayoutEffect, useRef } from 'preact/hooks'

const token = /("(?:[^"\\]|\\.?)*"?)(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Tokens that are coloured; what follows is plain: a page of a hundred thousand elements is slow. */
const coloured = 6000

/** Characters that are shown. */
const shownLimit = 100_000

/** Characters that are drawn at once; more follow with each frame, so that none takes long. */
const slice = 20_000

export function JsonText ({ text, label, isJson = true }: {
  readonly text: string, readonly label: string, readonly isJson?: boolean
}) {
  const pre = useRef<HTMLPreElement>(null)
  const shown = text.length > shownLimit
    ? `${text.slice(0, shownLimit)}\n… (${text.length - shownLimit} more characters)`
    : text
  // By hand, as elements of a framework for each token would take several times as long.
  useLayoutEffect(() => {
    const slices = slicesOf(shown, isJson)
    pre.current?.replaceChildren(slices.next().value ?? '')
    let frame = window.requestAnimationFrame(function more () {
      const { value, done } = slices.next()
      if (done === true) return
      pre.current?.append(value)
      frame = window.requestAnimationFrame(more)
    })
    return () => { window.cancelAnimationFrame(frame) }
  }, [shown, isJson])
  return <pre class="code" tabIndex={0} role="region" aria-label={label} ref={pre}/>
}

/** The text in pieces that are drawn one after the other, the tokens of the first ones coloured. */
function * slicesOf (text: string, isJson: boolean): Generator<DocumentFragment | string, undefined> {
  let at = 0
  if (isJson) {
    let made = document.createDocumentFragment()
    let [begun, count] = [0, 0]
    for (const match of text.matchAll(token)) {
      if (++count > coloured) break
      const [all, string, colon, word] = match
      const ofText = colon === undefined ? 'string' : 'key'
      const kind = string !== undefined ? ofText : word === undefined ? 'number' : 'word'
      const span = document.createElement('span')
      span.className = `json-${kind}`
      span.textContent = string ?? all
      made.append(text.slice(at, match.index), span)
      at = match.index + span.textContent.length
      if (at - begun < slice) continue
      yield made
      made = document.createDocumentFragment()
      begun = at
    }
    if (at > begun) yield made
  }
  for (; at < text.length; at += slice) yield text.slice(at, at + slice)
}
