/**
 * Writes openapi.json from the routes. With `--check` it writes nothing and fails when the file is out of
 * date.
 */
import { currentDocument } from '../src/current-routes.ts'
import { writeOrCheck } from './generated.ts'

writeOrCheck('openapi.json', currentDocument(), 'npm run openapi')
