/** The routes of replication (SY-40 to SY-47). */
import type { ArgumentDefinition, ModelClass, RemoteMethodOptions } from '@fastback/core'
import { idArgument, optionsArgument, setRemoteMethod } from '@fastback/core/remote'

const since: ArgumentDefinition = {
  arg: 'since', type: 'number', description: 'Only changes since this checkpoint', http: { source: 'query' }
}
const list = { type: ['object'], root: true }
/** Any value: what is no list is a 400 here (SY-49). */
const body = (arg: string, description: string): ArgumentDefinition =>
  ({ arg, type: 'any', description, http: { source: 'body' } })
/** Each row is judged by itself: rules for owners open the method, and then their rows. */
const judgesRows = true

const routes: Readonly<Record<string, RemoteMethodOptions>> = {
  checkpoint: {
    description: 'Create a checkpoint.',
    accepts: [],
    returns: { arg: 'result', type: 'object', root: true },
    http: { verb: 'post', path: '/checkpoint' },
    accessType: 'REPLICATE',
    judgesRows
  },
  currentCheckpoint: {
    description: 'Get the current checkpoint.',
    accepts: [],
    returns: { arg: 'result', type: 'number', root: true },
    http: { verb: 'get', path: '/checkpoint' },
    accessType: 'READ',
    judgesRows
  },
  changes: {
    description: 'Get the changes to a model since a given checkpoint. Provide a filter object to reduce the number of results returned.',
    accepts: [
      since,
      { arg: 'filter', type: 'object', description: 'Only changes of rows that match "where"', http: { source: 'query' } },
      optionsArgument
    ],
    returns: { arg: 'changes', ...list },
    http: { verb: 'get', path: '/changes' },
    accessType: 'READ',
    judgesRows
  },
  diff: {
    description: 'Get a set of deltas and conflicts since the given checkpoint.',
    accepts: [since, body('remoteChanges', 'The changes of the source'), optionsArgument],
    returns: { arg: 'result', type: 'object', root: true },
    http: { verb: 'post', path: '/diff', status: 200 },
    accessType: 'READ',
    judgesRows,
    responses: { 413: 'There are more than 5,000 changes in one call' }
  },
  createUpdates: {
    description: 'Create an update list from a delta list.',
    accepts: [body('deltas', 'The differences'), optionsArgument],
    returns: { arg: 'updates', ...list },
    http: { verb: 'post', path: '/create-updates', status: 200 },
    accessType: 'READ',
    judgesRows,
    responses: { 413: 'There are more than 5,000 changes in one call' }
  },
  bulkUpdate: {
    description: 'Run multiple updates at once. Note: this is not atomic.',
    accepts: [{ arg: 'updates', type: 'array', required: true }, optionsArgument],
    http: { verb: 'post', path: '/bulk-update' },
    accessType: 'WRITE',
    judgesRows,
    responses: {
      409: 'Some changes were not applied: "details.conflicts" has them', 413: 'There are more than 5,000 updates in one call'
    }
  },
  findLastChange: {
    description: 'Get the most recent change record for this instance.',
    accepts: [idArgument, optionsArgument],
    returns: { arg: 'result', type: 'object', root: true, description: 'null where there is none', jsonSchema: { type: ['object', 'null'] } },
    http: { verb: 'get', path: '/:id/changes/last' },
    accessType: 'READ',
    judgesRows
  },
  updateLastChange: {
    description: 'Update the properties of the most recent change record kept for this instance: "prev".',
    accepts: [
      idArgument,
      { arg: 'data', type: 'object', description: 'An object of change properties: "prev" counts', http: { source: 'body' } },
      optionsArgument
    ],
    returns: { arg: 'result', type: 'object', root: true },
    http: { verb: 'put', path: '/:id/changes/last' },
    accessType: 'WRITE',
    judgesRows,
    responses: { 404: 'The row has no change' }
  }
}

/** Publishes the methods of replication with the model. */
export function addRoutes (Model: ModelClass): void {
  for (const [name, route] of Object.entries(routes)) {
    setRemoteMethod(Model, name, route)
  }
}
