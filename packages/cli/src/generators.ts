/**
 * `@fastback/cli/generators`: the generators of `fastback add` and `fastback import-api` in code. Each plans changes of
 * an application folder; nothing is written before `writeFiles(changes.folder, changes.changes)` of `@fastback/cli` is
 * called.
 */
export { addModel, type NewModelOptions } from './add/model.js'
export { addProperty, type NewProperty } from './add/property.js'
export type { PropertyOptions } from './add/property-type.js'
export { addRelation, type NewRelation, type NewRelationType } from './add/relation.js'
export { addAcl, type NewAcl } from './add/acl.js'
export { addDataSource, type NewDataSource } from './add/datasource.js'
export { addRemoteMethod, type MethodArgument, type MethodResult, type NewRemoteMethod } from './add/remote-method.js'
export { addMiddleware, type NewMiddleware } from './add/middleware.js'
export { addBootScript, type NewBootScript } from './add/boot-script.js'
export { addMixin, type NewMixin } from './add/mixin.js'
export { addComponent, type NewComponent } from './add/component.js'
export { addLogin, type NewLogin } from './add/login.js'
export { addUserModel, type NewUserModel } from './add/user-model.js'
export { importApi, type ImportApiOptions } from './import-api.js'
export type { ApiImport } from './api-import.js'
export type { AccessForm } from './add/access.js'
export type { Addition, Replacing } from './add/project.js'
