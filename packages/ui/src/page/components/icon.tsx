import type { IconName } from './icon-names.js'

/** A sign of the sprite, for the eye alone: what it means is in words next to it, or in the label of its button. */
export const Icon = ({ name }: { readonly name: IconName }) =>
  <svg class="icon" aria-hidden="true" focusable="false"><use href={`icons.svg#${name}`}/></svg>
