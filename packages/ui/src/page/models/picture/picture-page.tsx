/** The picture of the models and their relations: it can be moved, zoomed, and taken as SVG; a model can be focused. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import type { Definitions } from '../../../contracts/models.js'
import { Button, IconButton } from '../../components/button.js'
import { Empty } from '../../components/empty.js'
import { Notice } from '../../components/notice.js'
import { Skeleton } from '../../components/skeleton.js'
import { useResource } from '../../components/use-resource.js'
import { useUi } from '../../ui.js'
import { ChangeDialog } from '../change/change-dialog.js'
import { graphOf } from './graph.js'
import { Picture } from './picture.js'
import { saveSvg } from './save-svg.js'
import { useCanvas } from './use-canvas.js'

export function PicturePage ({ definitions }: { readonly definitions: Definitions }) {
  const { config } = useUi()
  const withBuiltin = useSignal(false)
  const isChanging = useSignal(false)
  const models = useMemo(
    () => definitions.models.filter(({ builtin }) => withBuiltin.value || !builtin), [definitions, withBuiltin.value])
  const { value: graph, error } = useResource(() => graphOf(models), [models])
  const canvas = useCanvas(graph)
  return (
    <>
      <header class="view-head">
        <h2>Models</h2>
        <label class="check">
          <input
            type="checkbox" checked={withBuiltin.value} onChange={({ currentTarget }) => { withBuiltin.value = currentTarget.checked }}
          />With those of the framework
        </label>
        <div class="buttons">
          <IconButton label="Smaller" icon="zoom-out" onClick={() => { canvas.zoom(1 / 1.25) }}/>
          <IconButton label="Larger" icon="zoom-in" onClick={() => { canvas.zoom(1.25) }}/>
          <IconButton label="All of it" icon="maximize" onClick={canvas.fit}/>
          <Button icon="download" disabled={graph === undefined} onClick={() => { if (graph !== undefined) saveSvg(graph) }}>SVG</Button>
          {config.changes === true && config.development && (
            <Button kind="primary" icon="plus" onClick={() => { isChanging.value = true }}>Model</Button>
          )}
        </div>
      </header>
      {error !== undefined && <Notice kind="bad">The picture could not be drawn: {error.message}</Notice>}
      {graph === undefined
        ? error === undefined && <Skeleton/>
        : models.length === 0
          ? <Empty icon="workflow" title="No models yet"><p>Make one here, or with <code>fastback add model</code>.</p></Empty>
          : <Picture graph={graph} canvas={canvas}/>}
      {isChanging.value && (
        <ChangeDialog kind="model" definitions={definitions} onClose={() => { isChanging.value = false }}/>
      )}
    </>
  )
}
