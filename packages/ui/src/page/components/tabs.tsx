import { useId, useRef } from 'preact/hooks'
import type { ComponentChildren } from 'preact'

export interface Tab {
  readonly name: string
  readonly title: string
}

/** Tabs by the ARIA pattern, with the panel of the one that is chosen. */
export function Tabs ({ label, tabs, chosen, onChoose, tools, children }: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
  /** Stand at the end of the row of tabs. */
  readonly tools?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const at = tabs.findIndex(({ name }) => name === chosen)
    const next = (at + step + tabs.length) % tabs.length
    onChoose((tabs[next] as Tab).name)
    list.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-row">
        <div role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
          {tabs.map(({ name, title }) => (
            <button
              key={name} type="button" role="tab" id={`${id}-${name}`} aria-selected={name === chosen} aria-controls={`${id}-panel`}
              tabIndex={name === chosen ? 0 : -1} onClick={() => { onChoose(name) }}
            >{title}
            </button>
          ))}
        </div>
        {tools}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>{children}</div>
    </div>
  )
}
