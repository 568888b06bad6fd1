import { isPlazaError } from '#sdk'

/**
 * Runs a deletion. Succeeds also when the object is already deleted, which is common after a lost response.
 */
export async function deleteOnce(
  missing: Parameters<typeof isPlazaError>[1],
  act: () => Promise<unknown>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!isPlazaError(error, missing)) throw error
  }
}
