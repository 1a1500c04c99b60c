import createError from '@fastify/error'

type Value = string | number | undefined

export interface StartUpError extends Error {
  code: string
  statusCode: number
}

export interface StartUpErrorClass<Values extends Value[] = Value[]> {
  new (...values: Values): StartUpError
  (...values: Values): StartUpError
  readonly prototype: StartUpError
}

/**
 * What is wrong with the set-up of an application, one class for each fault: `FBK_<area>_<code>`, a message with `%s`
 * for each argument, status 500 where nothing else is said. Tables in READMEs are made of these calls
 * (`node .ci/docs.mjs --write`).
 *
 * ```ts
 * const startup = startUpErrors('AUTH')
 *
 * export const NoMailerError = startup('NO_MAILER', 'Model "%s" has nobody to send its mail.')
 * ```
 */
export const startUpErrors = (area: string) =>
  <Values extends Value[] = Value[]>(code: string, message: string, statusCode = 500): StartUpErrorClass<Values> =>
    createError<string, number, Values>(`FBK_${area}_${code}`, message, statusCode)
