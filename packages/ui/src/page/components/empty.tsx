import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'
import type { IconName } from './icon-names.js'

/** Where there is nothing to show: why, and what to do next. */
export const Empty = (
  { icon, title, children }: { readonly icon: IconName, readonly title: string, readonly children?: ComponentChildren }
) =>
  <div class="empty">
    <span class="empty-icon"><Icon name={icon}/></span>
    <p class="empty-title">{title}</p>
    {children}
  </div>
