/**
 * CodeMirror in a shadow tree: there its styles are constructed sheets, which the policy of the page lets pass, where
 * it would refuse style elements.
 */
import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, foldGutter, foldKeymap, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { EditorProps } from './editor.js'

/** What a text is written in. */
export interface Language {
  extensions (propsOf: () => EditorProps): Extension
  /** Follows what the component was given, and was given before. */
  follow? (view: EditorView, props: EditorProps, before: EditorProps): void
}

export interface Editing {
  /** Follows what the component was given. */
  show (props: EditorProps): void
  end (): void
}

const theme = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--back)', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '.8125rem', lineHeight: '1.55', maxHeight: '28rem' },
  '.cm-content': { caretColor: 'var(--text)', padding: '.5rem 0', minHeight: '4.5rem' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--quiet)', border: '0' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { backgroundColor: 'var(--accent-soft)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--hover)', outline: '1px solid var(--line)' },
  '.cm-tooltip': { backgroundColor: 'var(--raised)', color: 'var(--text)', border: '1px solid var(--line)', borderRadius: '.5rem' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionDetail': { color: 'inherit', opacity: '.8', fontStyle: 'normal', marginLeft: '1rem' },
  '.cm-diagnostic': { padding: '.35rem .6rem' },
  // CodeMirror's own lines are pictures in addresses, which the policy of the page refuses: faults were not marked.
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy var(--info)', textUnderlineOffset: '.2em' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning, .cm-lintRange-info, .cm-lintRange-hint': { backgroundImage: 'none' }
})

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--info)' },
  { tag: [tags.bool, tags.null, tags.keyword, tags.definitionKeyword], color: 'var(--violet)' },
  { tag: [tags.variableName, tags.typeName], color: 'var(--info)' },
  { tag: tags.comment, color: 'var(--quiet)' }
])

/** @param propsOf what the component was given last */
export function beginEditing (host: HTMLElement, propsOf: () => EditorProps, language: Language): Editing {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const attributes = new Compartment()
  const { value, readOnly = false } = propsOf()
  let before = propsOf()
  /** Texts that came from here: the component gives them back later, when more may have been typed. */
  const own = new Set<string>()
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: value,
      extensions: [
        keymap.of([{ key: 'Mod-Enter', run: () => submitted(propsOf()) }]),
        language.extensions(propsOf), history(), foldGutter(), drawSelection(), bracketMatching(), closeBrackets(),
        syntaxHighlighting(colours), theme,
        EditorView.lineWrapping, EditorState.tabSize.of(2), EditorState.readOnly.of(readOnly),
        attributes.of(attributesOf(propsOf())),
        // Tab goes on to the next control, as people without a pointer need it to.
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap]),
        EditorView.updateListener.of(({ docChanged, state }) => {
          const text = state.doc.toString()
          if (!docChanged || text === propsOf().value) return
          own.add(text)
          propsOf().onInput(text)
        })
      ]
    })
  })
  return {
    show (props) {
      const text = view.state.doc.toString()
      const isOwn = text === props.value || own.has(props.value)
      if (text === props.value) own.clear()
      view.dispatch({
        ...isOwn ? {} : { changes: { from: 0, to: text.length, insert: props.value } },
        effects: attributes.reconfigure(attributesOf(props))
      })
      language.follow?.(view, props, before)
      before = props
    },
    end () { view.destroy() }
  }
}

function submitted ({ onSubmit }: EditorProps): boolean {
  onSubmit?.()
  return onSubmit !== undefined
}

const attributesOf = ({ label, invalid = false }: EditorProps): Extension =>
  EditorView.contentAttributes.of({ 'aria-label': label, ...invalid ? { 'aria-invalid': 'true' } : {} })
