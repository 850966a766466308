// The version of these headers. Generated code names the one that it needs and does not compile with headers of another major or minor
// version.
#pragma once

#define ALDIS_VERSION_MAJOR 0
#define ALDIS_VERSION_MINOR 1
#define ALDIS_VERSION_PATCH 0
