// A barrier that one thread executes for all threads of the process, so that those need none where they are fast.
#pragma once

#if defined(__linux__)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace aldis::transport {

#if defined(__linux__) && defined(SYS_membarrier)

// Whether `everywhere_seen` works here: the kernel may have no such call, or not allow it.
inline bool can_be_seen_everywhere() {
    static const bool can = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
    return can;
}

// Every thread has either executed a full barrier, behind which it sees what this thread has written, or not passed the point where it
// is; what it wrote before, this thread sees.
inline void everywhere_seen() { syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0); }

#else

inline bool can_be_seen_everywhere() { return false; }
inline void everywhere_seen() {}

#endif

}  // namespace aldis::transport
