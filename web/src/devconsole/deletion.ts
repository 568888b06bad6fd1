import { isPlazaError } from '#sdk'

/**
 * Runs a deletion. If the server says the object is already gone, as a retry may find, that counts as
 * success.
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
