/** Errors of `@fastback/loopback`. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('LOOPBACK')

/** This Node.js cannot `require` ES modules, which `loopback()` has to. */
export const EsModulesError = startup(
  'ES_MODULES',
  'loopback() needs a Node.js that can require ES modules: 20.19, 22.12 or later; this is %s.'
)
/** A `loopback-boot` of LoopBack's own was loaded before this package could stand for it. */
export const SecondBootError = startup(
  'SECOND_BOOT',
  'loopback-boot was required before loopback, so that LoopBack\'s own was loaded. Require loopback first, or let package.json name this package for both: "loopback-boot": "npm:@fastback/loopback@1".'
)
/** `boot()` was given something that `loopback()` did not make. */
export const NotAnApplicationError = startup('NOT_AN_APPLICATION', 'boot(app, …) needs an application that loopback() made.')
/** `boot()` was given options that name no folder. */
export const BootFolderError = startup(
  'BOOT_FOLDER',
  'boot(app, options) needs the folder of the application: a path, or "appRootDir" in the options.'
)
/** The folder's own server file ended without an application, or the application never listened. */
export const NotStartedError = startup('NOT_STARTED', '%s: %s')
/** A class that only the package `loopback-connector` has is asked for, and it is not installed. */
export const ConnectorPackageMissingError = startup(
  'CONNECTOR_MISSING',
  '"%s" is of the package loopback-connector, which is not installed. Run "npm install loopback-connector".'
)
/** A connector has not said how it does something. */
export const NotImplementedError = startup('NOT_IMPLEMENTED', '"%s" must be implemented by the connector "%s".')
