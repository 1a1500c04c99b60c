/**
 * `@fastback/rest/multipart`: forms with files (RFC 7578), read part by part as they come. For code that takes uploads;
 * arguments of remote methods with the type `file` are read with it, too.
 */
export { isForm, readForm, type FilePart, type FormLimits, type FormReader } from './read-form.js'
export { defaultFormLimits } from './form-limits.js'
export { bareType, checkDeclaredType } from './declared-type.js'
export { afterTheRest } from '../parse/read-body.js'
export { nameIn } from './name-in.js'
export { fileLimits } from './file-arguments.js'
export { fileTooLarge } from './form-errors.js'
export type { ArgumentFile } from './argument-file.js'
