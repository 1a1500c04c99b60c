import type { ComponentChildren } from 'preact'

/** The search at the top of a list in the sidebar: `/` leads to it from anywhere, Escape empties it. */
export const SidebarSearch = ({ label, text, onInput, onEnter, children }: {
  readonly label: string
  readonly text: string
  readonly onInput: (text: string) => void
  /** What Enter does, such as opening what was found first. */
  readonly onEnter?: () => void
  readonly children?: ComponentChildren
}) =>
  <div class="sidebar-search">
    <input
      type="search" data-search placeholder={`${label} ( / )`} aria-label={label} aria-keyshortcuts="/" autocomplete="off"
      spellcheck={false} value={text} onInput={({ currentTarget }) => { onInput(currentTarget.value) }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onInput('')
        else if (key === 'Enter') onEnter?.()
      }}
    />
    {children}
  </div>
