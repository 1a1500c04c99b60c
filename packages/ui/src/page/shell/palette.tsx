/** Finds everything there is by a few letters, and does it: Ctrl or Cmd with K. */
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Command } from '../commands.js'
import { Icon } from '../components/icon.js'
import { useUi } from '../ui.js'
import { bestOf } from './find.js'

/** Commands that are shown. */
const most = 40

export function Palette () {
  const { commands } = useUi()
  const dialog = useRef<HTMLDialogElement>(null)
  const text = useSignal('')
  const active = useSignal(0)
  const all = useRef<readonly Command[]>(commands.all)
  const found = useComputed(() => bestOf(all.current, text.value, ({ title, group }) => `${group} ${title}`, most))
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => { if (before instanceof HTMLElement) before.focus() }
  }, [])
  useEffect(() => {
    document.getElementById(`command-${active.value}`)?.scrollIntoView({ block: 'nearest' })
  }, [active.value])
  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    commands.close()
    // After the focus went back.
    window.setTimeout(command.run)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const { length } = found.value
    if (event.key === 'Enter') run(found.value[active.value])
    else if (event.key === 'ArrowDown' && length > 0) active.value = (active.value + 1) % length
    else if (event.key === 'ArrowUp' && length > 0) active.value = (active.value + length - 1) % length
    else return
    event.preventDefault()
  }
  return (
    <dialog
      ref={dialog} class="palette" aria-label="Find anything" onCancel={event => { event.preventDefault(); commands.close() }}
      onClick={({ target }) => { if (target === dialog.current) commands.close() }}
    >
      <div class="palette-body">
        <div class="palette-field">
          <Icon name="search"/>
          <input
            type="text" role="combobox" aria-label="Find anything" placeholder="A model, an operation, a thing to do"
            aria-expanded="true" aria-controls="commands" aria-autocomplete="list" autocomplete="off" spellcheck={false}
            aria-activedescendant={found.value.length === 0 ? undefined : `command-${active.value}`} value={text.value}
            onInput={({ currentTarget }) => { text.value = currentTarget.value; active.value = 0 }}
            onKeyDown={onKeyDown}
          />
        </div>
        <ul role="listbox" id="commands" aria-label="Found">
          {found.value.map((command, index) => (
            <li
              key={command.id} id={`command-${index}`} role="option" aria-selected={index === active.value}
              onPointerMove={() => { active.value = index }} onClick={() => { run(command) }}
            >
              <Icon name={command.icon}/><span class="palette-title">{command.title}</span>
              <span class="palette-group">{command.group}</span>
            </li>
          ))}
        </ul>
        <p class="palette-none" role="status">{found.value.length === 0 ? 'Nothing is called that.' : ''}</p>
      </div>
    </dialog>
  )
}
