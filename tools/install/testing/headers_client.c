/* A client that includes a header of GASNet (OURS) and a header of a foreign
 * library (THEIRS), in either order. */
#ifdef OURS_FIRST
#include OURS
#include THEIRS
#else
#include THEIRS
#include OURS
#endif

int client(void);
int client(void) {
  /* GASNet's names are defined, with the values of GASNet or of the foreign
     library. */
  return sizeof(PLATFORM_COMPILER_VERSION_STR) > 1 && PLATFORM_ARCH_64 &&
         sizeof(_STRINGIFY(PLATFORM_COMPILER_FAMILYNAME)) > 1;
}
