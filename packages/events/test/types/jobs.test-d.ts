/**
 * Jobs and their data. Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not
 * what it should be.
 */
import { Type } from '@sinclair/typebox'
import type { ModelRegistry } from '@fastback/core'
import '@fastback/events'

declare module '@fastback/events' {
  interface JobTypes { typedReminder: { noteId: number } }
}

const Reminder = Type.Object({ noteId: Type.Integer(), text: Type.Optional(Type.String()) })

const use = (..._values: unknown[]): void => {}

async function jobs (registry: ModelRegistry): Promise<void> {
  const remind = registry.job('remind', { schema: Reminder, schedule: '0 8 * * *' }, async context => {
    const id: number = context.data.noteId
    const text: string | undefined = context.data.text
    const attempt: number = context.attempt
    // @ts-expect-error no such property
    use(context.data.other)
    context.log.info({ id, text, attempt }, 'reminded')
    context.signal.throwIfAborted()
  })
  const id: string | undefined = await remind.send({ noteId: 1 }, { uniqueKey: 'a', startAfter: new Date() })
  // @ts-expect-error the data needs an id
  await remind.send({ text: id })
  registry.job('free', {}, ({ data }) => {
    // @ts-expect-error nobody said what it is
    use(data.anything)
  })
  // @ts-expect-error no such option
  registry.job('wrong', { retry: 1 }, () => {})
  await registry.jobs.send('typedReminder', { noteId: 1 })
  // @ts-expect-error JobTypes says what its data is
  await registry.jobs.send('typedReminder', { note: 1 })
  await registry.jobs.send('any', { note: 1 })
}

use(jobs)
