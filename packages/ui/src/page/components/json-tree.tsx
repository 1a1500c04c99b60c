/** A value of JSON as a tree that is unfolded where somebody looks: a large one is never drawn as a whole. */
import { useState } from 'preact/hooks'
import { Button } from './button.js'

/** Members that are drawn at once, and characters of a text. */
const most = 100
const mostText = 2000

export function JsonTree ({ value, name, isOpen = false }: {
  readonly value: unknown
  readonly name?: string | undefined
  readonly isOpen?: boolean
}) {
  const [isDrawn, setDrawn] = useState(isOpen)
  const label = name === undefined ? null : <><span class="json-name">{name}</span>: </>
  if (value === null || typeof value !== 'object') {
    return <div class="json-line">{label}<Leaf value={value}/></div>
  }
  return (
    <details class="json-branch" open={isOpen} onToggle={({ currentTarget }) => { if (currentTarget.open) setDrawn(true) }}>
      <summary>{label}<span class="json-size">{jsonSummary(value)}</span></summary>
      {isDrawn && <Members value={value}/>}
    </details>
  )
}

function Members ({ value }: { readonly value: object }) {
  const [shown, setShown] = useState(most)
  const entries = Object.entries(value)
  return (
    <div class="json-members">
      {entries.slice(0, shown).map(([name, member]) => <JsonTree key={name} name={name} value={member}/>)}
      {entries.length > shown && (
        <Button kind="quiet" onClick={() => { setShown(shown + most) }}>{`${entries.length - shown} more`}</Button>
      )}
    </div>
  )
}

function Leaf ({ value }: { readonly value: unknown }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const kind = value === null ? 'null' : typeof value
  return <span class={`json-${kind}`}>{text.length > mostText ? `${text.slice(0, mostText)}… (${text.length} characters)` : text}</span>
}

/**
 * What an object or a list is in few letters.
 *
 * ```js
 * jsonSummary({ city: 'Ulm', zip: 1 }) // '{ city, zip }'
 * ```
 */
export function jsonSummary (value: object): string {
  if (Array.isArray(value)) return value.length === 1 ? '[ 1 item ]' : `[ ${value.length} items ]`
  const names: string[] = []
  let more = false
  // Not all names of a large object are read for three of them.
  for (const name in value) {
    if (names.length === 3) {
      more = true
      break
    }
    names.push(name.length > 20 ? `${name.slice(0, 20)}…` : name)
  }
  return names.length === 0 ? '{ }' : `{ ${names.join(', ')}${more ? ', …' : ''} }`
}
