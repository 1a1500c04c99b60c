/** Windows that ask something, and what shows them. */
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../components/button.js'
import { Dialog } from '../components/dialog.js'
import { useDataPart } from './data-part.js'
import type { Questions } from './questions.js'

/** True when the person said yes; Escape means no. */
export const confirmed = async (questions: Questions, question: string, yes: string, hint = ''): Promise<boolean> =>
  await questions.ask<boolean>(close => <Confirm question={question} yes={yes} hint={hint} close={close}/>) === true

function Confirm ({ question, yes, hint, close }: {
  readonly question: string, readonly yes: string, readonly hint: string, readonly close: (yes: boolean) => void
}) {
  const buttons = useRef<HTMLDivElement>(null)
  // What does no harm has the focus.
  useEffect(() => { buttons.current?.querySelector('button')?.focus() }, [])
  return (
    <Dialog title={question} onClose={() => { close(false) }}>
      {hint !== '' && <p>{hint}</p>}
      <div class="buttons end" ref={buttons}>
        <Button onClick={() => { close(false) }}>Cancel</Button>
        <Button kind="danger" onClick={() => { close(true) }}>{yes}</Button>
      </div>
    </Dialog>
  )
}

export function OpenQuestions () {
  const { questions } = useDataPart()
  return <>{questions.open.value.map(({ id, draw }) => <div key={id}>{draw()}</div>)}</>
}
