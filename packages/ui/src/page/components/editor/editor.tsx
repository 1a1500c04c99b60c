/** An editor of JSON, or of GraphQL: a text field until its code is loaded, and where that cannot be. */
import type { GraphQLSchema } from 'graphql'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiDescription } from '../../api/description.js'
import type { Schema } from '../../../contracts/openapi.js'
import type { Editing, Language } from './editing.js'

export interface EditorProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onInput: (value: string) => void
  /** Called by Ctrl or Cmd with Enter. */
  readonly onSubmit?: () => void
  /** What the text is to be: names and values are proposed from it. */
  readonly schema?: Schema | undefined
  readonly description?: ApiDescription | undefined
  readonly invalid?: boolean
  readonly describedBy?: string | undefined
  readonly readOnly?: boolean
  /** What the text is written in, once and for all. Default: JSON. */
  readonly language?: 'json' | 'graphql'
  readonly graphqlSchema?: GraphQLSchema | undefined
}

/** Characters that a text field shows while the code of the editor is loaded: to lay out more takes as long as that. */
const mostBefore = 20_000

const languages: Readonly<Record<'json' | 'graphql', () => Promise<{ readonly language: Language }>>> = {
  json: () => import('./json-language.js'),
  graphql: () => import('./graphql-language.js')
}

export function Editor (props: EditorProps) {
  const { id, label, value, onInput, onSubmit, invalid = false, describedBy, readOnly = false, graphqlSchema } = props
  const host = useRef<HTMLDivElement>(null)
  const editing = useRef<Editing | undefined>(undefined)
  const latest = useRef(props)
  latest.current = props
  const [state, setState] = useState<'loading' | 'loaded' | 'failed'>('loading')
  const isLoaded = state === 'loaded'
  useEffect(() => {
    let isThere = true
    const load = languages[props.language ?? 'json']
    Promise.all([import('./editing.js'), load()]).then(([{ beginEditing }, { language }]) => {
      if (!isThere || host.current === null) return
      editing.current = beginEditing(host.current, () => latest.current, language)
      setState('loaded')
    }, () => { setState('failed') })
    return () => {
      isThere = false
      editing.current?.end()
    }
  }, [])
  useEffect(() => { editing.current?.show(latest.current) }, [value, invalid, describedBy, isLoaded, graphqlSchema])
  return (
    <div class={`editor ${invalid ? 'invalid' : ''}`}>
      <div class="editor-host" ref={host} hidden={!isLoaded}/>
      {state === 'loading' && value.length > mostBefore && <p class="hint" role="status">Loading the editor …</p>}
      {(state === 'failed' || (state === 'loading' && value.length <= mostBefore)) && (
        <textarea
          id={id} aria-label={label} rows={Math.min(20, Math.max(4, value.split('\n').length + 1))} spellcheck={false}
          value={value} readOnly={readOnly} aria-invalid={invalid || undefined} aria-describedby={describedBy}
          onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
          onKeyDown={event => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit?.()
          }}
        />
      )}
    </div>
  )
}
