/** Application folders as commands write them. */
export { isModuleFolder, layoutOf, modelLayoutOf, sourceOf, type Layout } from './layout.js'
export {
  definitionFile, definitionFiles, definitionText, inOrder, planModel, scriptText, type NewModel
} from './model-files.js'
export { basesInCode, definitionModuleOf, formFor, modelsInCode, planImports, runsTypeScript, untriable, type DefinitionForm } from './definition-files.js'
export { definitionModule, tableModel } from './typebox/index.js'
export { recordNameOf, checkName, faultOfName, fileNameOf, namesOfFramework } from './names.js'
export { planModels, type DiscoveredTableReport, type KnownModel } from './discovered.js'
