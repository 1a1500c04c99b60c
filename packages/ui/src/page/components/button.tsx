import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'
import type { IconName } from './icon-names.js'

interface ButtonProps {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  readonly icon?: IconName
  readonly type?: 'button' | 'submit'
  readonly disabled?: boolean
  readonly pressed?: boolean
  readonly expanded?: boolean
  readonly controls?: string
  readonly autofocus?: boolean
  /** What the pointer shows, such as the shortcut. */
  readonly title?: string
  readonly onClick?: (event: MouseEvent) => void
}

/** A button with words. */
export const Button = ({
  kind = 'plain', icon, type = 'button', pressed, expanded, controls, children, ...rest
}: ButtonProps & { readonly children: ComponentChildren }) =>
  <button
    type={type} class={`button ${kind}`} aria-pressed={pressed} aria-expanded={expanded} aria-controls={controls} {...rest}
  >
    {icon !== undefined && <Icon name={icon}/>}<span>{children}</span>
  </button>

/** A button that is a sign alone; `label` says what it does. */
export const IconButton = ({
  label, icon, kind = 'quiet', type = 'button', pressed, expanded, controls, title = label, ...rest
}: ButtonProps & { readonly label: string, readonly icon: IconName }) =>
  <button
    type={type} class={`button icon-only ${kind}`} aria-label={label} title={title}
    aria-pressed={pressed} aria-expanded={expanded} aria-controls={controls} {...rest}
  >
    <Icon name={icon}/>
  </button>
