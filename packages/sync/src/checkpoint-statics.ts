/** Functions of the models that checkpoints are kept in, as code of applications calls them (SY-30). */
import type { ModelClass, Row } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { instantiate } from '@fastback/core/remote'
import type { Checkpoints } from './checkpoints.js'

/** What a row of checkpoints has. */
export const checkpointProperties = {
  id: { type: 'number', id: true, generated: false },
  seq: { type: 'number', required: true },
  time: { type: 'date', required: true },
  sourceId: 'string'
} as const

type Work = (checkpoints: Checkpoints, Model: ModelClass) => unknown

/**
 * Puts `current`, `bumpLastSeq` and `getSingleton` on a model; those that extend it have them for rows of their own.
 * @param over the checkpoints that a model keeps
 */
export function addCheckpointStatics (Model: ModelClass, over: (Model: ModelClass) => Checkpoints): void {
  const statics: Readonly<Record<string, Work>> = {
    current: checkpoints => checkpoints.current(),
    bumpLastSeq: async (checkpoints, Own) => instance(Own, await checkpoints.raise()),
    getSingleton: async (checkpoints, Own) => instance(Own, await checkpoints.row())
  }
  for (const [name, work] of Object.entries(statics)) {
    Object.defineProperty(Model, name, {
      value (this: ModelClass, ...args: unknown[]): unknown {
        const { callback } = splitCallback(args)
        return promiseOrCallback(async () => await work(over(this), this), callback, false, this.registry)
      },
      configurable: true,
      writable: true
    })
  }
}

const instance = (Model: ModelClass, row: object): unknown => instantiate(Model.compiled, { ...row } as Row)
