import type { ComponentChildren } from 'preact'

/** A control with its label, what kind of value it takes, what there is to know, and what is wrong with it. */
export function Field ({ id, label, kind, required = false, hint, error, children }: {
  readonly id: string
  readonly label: string
  readonly kind?: string | undefined
  readonly required?: boolean
  readonly hint?: ComponentChildren
  readonly error?: string | undefined
  /** The control, with the attributes of `controlProps`. */
  readonly children: ComponentChildren
}) {
  return (
    <div class="field">
      <label for={id}>
        {label}{required && <span class="required" title="required"> *</span>}
      </label>
      {kind !== undefined && <span class="kind">{kind}</span>}
      {children}
      {hint !== undefined && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {error !== undefined && <p class="error" id={`${id}-error`}>{error}</p>}
    </div>
  )
}

/** Attributes of the control of a field. */
export const controlProps = (
  { id, required = false, hint, error }:
  { readonly id: string, readonly required?: boolean, readonly hint?: unknown, readonly error?: string | undefined }
) => {
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`]
    .filter(each => each !== '').join(' ')
  return {
    id,
    'aria-required': required ? true : undefined,
    'aria-invalid': error === undefined ? undefined : true,
    'aria-describedby': described === '' ? undefined : described
  } as const
}
