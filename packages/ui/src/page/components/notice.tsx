import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'

const icons = { bad: 'circle-alert', good: 'circle-check', info: 'info', warning: 'triangle-alert' } as const

/** Something to know in its context; a failure is read aloud. */
export const Notice = (
  { kind, children }: { readonly kind: keyof typeof icons, readonly children: ComponentChildren }
) =>
  <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : undefined}>
    <Icon name={icons[kind]}/><div>{children}</div>
  </div>
