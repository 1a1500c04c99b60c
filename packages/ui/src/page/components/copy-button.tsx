import { useSignal } from '@preact/signals'
import { Button } from './button.js'

/** Copies a text. Browsers give the clipboard to secure origins alone: elsewhere it says that it cannot. */
export function CopyButton ({ text, label = 'Copy' }: { readonly text: () => string, readonly label?: string }) {
  const state = useSignal(label)
  const copy = (): void => {
    const done = navigator.clipboard === undefined ? Promise.reject(new Error()) : navigator.clipboard.writeText(text())
    done.then(() => { state.value = 'Copied' }, () => { state.value = 'Not allowed here' })
      .finally(() => { window.setTimeout(() => { state.value = label }, 2000) })
  }
  return <Button kind="quiet" icon={state.value === 'Copied' ? 'check' : 'copy'} onClick={copy}>{state.value}</Button>
}
