/**
 * Models for one caller (`registry.as`). Checked by `tsc` alone (`npm run types`): every line below fails to compile
 * when a type is not what it should be.
 */
import { defineModel, type ModelRegistry } from '@fastback/core'
import '@fastback/acl'

const use = (..._values: unknown[]): void => {}
declare const registry: ModelRegistry

const Task = defineModel({
  name: 'ActingTask', properties: { title: { type: 'string', required: true }, points: 'number' }
})

declare module '@fastback/core' {
  interface ModelTypes { ActingTask: typeof Task }
}

async function acting (): Promise<void> {
  const { ActingTask } = registry.as({ user: 7 })
  const [task] = await ActingTask.find({ where: { points: { gt: 2 } }, fields: ['title'] })
  const title: string | undefined = task?.title
  const made = await ActingTask.create({ title: 'a' })
  const points: number | null | undefined = made.points
  use(title, points, await ActingTask.count({ title: 'a' }), registry.as({ token: 'x' }), registry.as({ appId: 1 }))
  // @ts-expect-error no such property
  await ActingTask.find({ where: { titel: 'a' } })
  // @ts-expect-error rows have no methods, which would go past the rules
  await made.save()
  // @ts-expect-error what no client may call
  await ActingTask.transaction(async () => {})
  // @ts-expect-error nobody is named
  registry.as({})
}

use(acting)
