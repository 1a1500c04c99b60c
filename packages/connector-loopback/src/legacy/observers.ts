/** Juggler's observers, which it mixes into connectors: `connector.observe('before execute', (context, next) => …)`. */
import { observerMethods, Observers } from '@fastback/core/connector'
import type { LegacyConnector } from './connector.js'

/** Gives a connector the methods that juggler gives every connector; those that it has are kept. */
export function mixInObservers (connector: LegacyConnector): void {
  for (const [name, method] of Object.entries(observerMethods(new Observers()))) connector[name] ??= method
}
