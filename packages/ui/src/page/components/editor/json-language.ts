/** JSON for the editor: faults, and proposals from the schema. */
import { autocompletion } from '@codemirror/autocomplete'
import { json, jsonParseLinter } from '@codemirror/lang-json'
import { linter } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import type { Language } from './editing.js'
import { proposals } from './proposals.js'

export const language: Language = {
  extensions: propsOf => [json(), linter(jsonLint()), autocompletion({ override: [proposals(propsOf)] })]
}

/** An empty text is none, and so no wrong one. */
function jsonLint (): (view: EditorView) => ReturnType<ReturnType<typeof jsonParseLinter>> {
  const parse = jsonParseLinter()
  return view => view.state.doc.length === 0 ? [] : parse(view)
}
