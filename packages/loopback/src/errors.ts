/** Errors of `@fastback/loopback`. */
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('LOOPBACK')

/** This Node.js cannot `require` ES modules, which `loopback()` needs. */
export const EsModulesError = startup(
  'ES_MODULES',
  'loopback() needs a Node.js that can require ES modules: 20.19, 22.12 or later; this is %s.'
)
/** LoopBack's own `loopback-boot` was loaded before this package could replace it. */
export const SecondBootError = startup(
  'SECOND_BOOT',
  'loopback-boot was required before loopback, so that LoopBack\'s own was loaded. Require loopback first, or let package.json name this package for both: "loopback-boot": "npm:@fastback/loopback@1".'
)
/** `boot()` was called with an object that `loopback()` did not create. */
export const NotAnApplicationError = startup('NOT_AN_APPLICATION', 'boot(app, …) needs an application that loopback() made.')
/** `boot()` was called with options that name no folder. */
export const BootFolderError = startup(
  'BOOT_FOLDER',
  'boot(app, options) needs the folder of the application: a path, or "appRootDir" in the options.'
)
/** The folder's own server file ended without an application, or the application never listened. */
export const NotStartedError = startup('NOT_STARTED', '%s: %s')
/** Code requests a class that only the package `loopback-connector` has, and that package is not installed. */
export const ConnectorPackageMissingError = startup(
  'CONNECTOR_MISSING',
  '"%s" is of the package loopback-connector, which is not installed. Run "npm install loopback-connector".'
)
/** A connector does not implement an operation. */
export const NotImplementedError = startup('NOT_IMPLEMENTED', '"%s" must be implemented by the connector "%s".')
