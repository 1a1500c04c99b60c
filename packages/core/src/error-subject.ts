/** The instance that a validation error speaks of: LoopBack hands it to callbacks beside the error. */
const SUBJECT = Symbol('fastback.subject')

/** Keeps the instance with the error, where neither JSON nor a loop over its members shows it. */
export function setSubject (error: object, instance: object): void {
  Object.defineProperty(error, SUBJECT, { value: instance, enumerable: false })
}

export const subjectOf = (error: unknown): object | undefined =>
  error !== null && typeof error === 'object' ? (error as { [SUBJECT]?: object })[SUBJECT] : undefined
