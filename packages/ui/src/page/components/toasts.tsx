import { useUi } from '../ui.js'
import { Button, IconButton } from './button.js'
import { Icon } from './icon.js'

export function ToastList () {
  const { toasts } = useUi()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.shown.value.map(({ id, text, kind, action }) => (
        <div class={`toast ${kind}`} key={id}>
          <Icon name={kind === 'good' ? 'circle-check' : 'circle-alert'}/>
          <p>{text}</p>
          {action !== undefined && (
            <Button kind="quiet" onClick={() => { toasts.close(id); action.run() }}>{action.label}</Button>
          )}
          <IconButton label="Close the message" icon="x" onClick={() => { toasts.close(id) }}/>
        </div>
      ))}
    </div>
  )
}
